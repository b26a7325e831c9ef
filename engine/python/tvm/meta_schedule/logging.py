"""Where a search tells what it does."""
import logging
import logging.config
import os


def get_logger(name):
    """The logger of a name."""
    return logging.getLogger(name)


def get_logging_func(logger):
    """A function (level, file, line, text) that writes to a logger."""
    if logger is None:
        return None
    names = {logging.DEBUG: logger.debug, logging.INFO: logger.info, logging.WARNING: logger.warning, logging.ERROR: logger.error}

    def write(level, filename, lineo, msg):
        if level < 0:
            return
        names.get(level, logger.info)("[%s:%s] %s", os.path.basename(filename), lineo, msg)

    return write


def create_loggers(log_dir, params, logger_config=None, disable_existing_loggers=False):
    """Loggers that write files into a folder."""
    config = dict(logger_config or {})
    config.setdefault("version", 1)
    config["disable_existing_loggers"] = disable_existing_loggers
    logging.config.dictConfig(config)
    for row in params:
        name = row.get("logger_name", __name__).format(**row)
        file = logging.FileHandler(os.path.join(log_dir, name + ".log"))
        file.setFormatter(logging.Formatter("%(asctime)s [%(levelname)s] %(message)s", "%Y-%m-%d %H:%M:%S"))
        logging.getLogger(name).addHandler(file)


def get_loggers_from_work_dir(work_dir, task_names):
    """A logger for each task that writes work_dir/logs/<task>.log."""
    folder = os.path.join(work_dir, "logs")
    os.makedirs(folder, exist_ok=True)
    width = len(str(len(task_names)))
    names = [f"tvm.meta_schedule.logging.task_{i:0{width}d}_{name}" for i, name in enumerate(task_names)]
    for i, (name, task) in enumerate(zip(names, task_names)):
        logger = logging.getLogger(name)
        if not logger.handlers:
            file = logging.FileHandler(os.path.join(folder, f"task_{i:0{width}d}_{task}.log".replace(os.sep, "_")), delay=True)
            file.setFormatter(logging.Formatter("%(asctime)s [%(levelname)s] %(message)s", "%Y-%m-%d %H:%M:%S"))
            logger.addHandler(file)
            logger.setLevel(logging.INFO)
    return [logging.getLogger(name) for name in names]
