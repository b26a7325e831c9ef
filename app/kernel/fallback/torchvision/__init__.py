"""Stands in for torchvision where it is not installed: FashionMNIST and the transforms that the course's chapters put on it."""
from . import datasets as datasets
from . import transforms as transforms
