"""The rules, the bots and the laboratory as a wheel, with the engine of Camel Up compiled by mypyc.

``make wheel`` copies this file next to ``games`` as ``setup.py``. Nothing needs the wheel. It makes large simulations
of Camel Up faster: see ``bench/camel_up.py --compiled``.
"""

from mypyc.build import mypycify
from setuptools import find_namespace_packages, setup

ENGINE = [f"games/camelup/{module}.py" for module in ("terms", "position", "rules_engine", "audit", "engine")]

setup(
    packages=find_namespace_packages(include=["games", "games.*"]),
    package_data={"": ["*.md"]},
    ext_modules=mypycify(["--config-file=", "--strict", "--follow-imports=silent", *ENGINE], opt_level="3"),
)
