# SPDX-License-Identifier: Apache-2.0
"""Sphinx's settings. scripts/site.sh names the folder with Doxygen's XML in the environment."""
import os
import sys

from pygments.lexers.c_cpp import CLexer
from sphinx.highlighting import lexers

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "bindings/python"), HERE]

project = "oclite"
copyright = "the authors of oclite"
html_title = "oclite"
html_theme = "furo"
html_show_sourcelink = False
html_copy_source = False
toc_object_entries = False

extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc", "docstrings", "sources"]
myst_heading_anchors = 4
myst_url_schemes = {"http": None, "https": None, "source": None}

breathe_projects = {"oclite": os.environ["OCLITE_SITE_XML"]}
breathe_default_project = "oclite"
breathe_domain_by_extension = {"h": "c"}

lexers["opencl"] = CLexer()

autoclass_content = "both"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
