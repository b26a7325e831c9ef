"""Archives of files."""
import tarfile


def tar(output, files):
    """Writes files into an archive."""
    import os

    with tarfile.open(output, "w") as archive:
        for name in [files] if isinstance(files, str) else files:
            archive.add(name, arcname=os.path.basename(name))


def untar(tar_file, directory):
    """Takes an archive apart."""
    with tarfile.open(tar_file) as archive:
        archive.extractall(directory, filter="data")


tar.output_format = "tar"
