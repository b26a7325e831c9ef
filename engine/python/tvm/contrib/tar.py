"""Archives of files."""
import tarfile


def tar(output, files):
    """Writes files into an archive, which says nothing of when, where and by whom they were made: the same files give the same bytes."""
    import os

    def plain(member):
        member.mtime = member.uid = member.gid = 0
        member.uname = member.gname = ""
        return member

    with tarfile.open(output, "w") as archive:
        for name in [files] if isinstance(files, str) else files:
            archive.add(name, arcname=os.path.basename(name), filter=plain)


def untar(tar_file, directory):
    """Takes an archive apart: its plain files, none of which leaves the folder."""
    import os
    import shutil

    root = os.path.realpath(directory)
    with tarfile.open(tar_file) as archive:
        for member in archive:
            path = os.path.realpath(os.path.join(root, member.name))
            if not member.isfile() or not path.startswith(root + os.sep):
                continue
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with archive.extractfile(member) as source, open(path, "wb") as target:
                shutil.copyfileobj(source, target)


tar.output_format = "tar"
