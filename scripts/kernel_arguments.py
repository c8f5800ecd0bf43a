"""Finds kernels that index arrays in their arguments, from clang's tree of a program (-ast-dump=json).

A driver may keep a kernel's arguments where it reads only places that it knows when it compiles (Mesa's llvmpipe ends the
process at others). So an array in a struct that a kernel takes by value is indexed with constants, or in a copy of the struct.
"""
PLAIN = ("ParenExpr", "ConstantExpr", "ImplicitCastExpr", "CStyleCastExpr")


def name_of(kind):
    """The struct that a type is, without what qualifies it."""
    words = [word for word in kind.split() if word not in ("const", "struct", "__private")]
    return words[0] if len(words) == 1 else ""


def structs_with_arrays(tree):
    """The names of structs that have an array, or a struct that has one."""
    found = set()
    for record in (node for node in tree["inner"] if node["kind"] == "RecordDecl" and "name" in node):
        kinds = [field["type"]["qualType"] for field in record.get("inner", []) if field["kind"] == "FieldDecl"]
        if any("[" in kind or name_of(kind) in found for kind in kinds):
            found.add(record["name"])
    return found


def is_constant(node):
    if node["kind"] in PLAIN:
        return is_constant(node["inner"][0])
    return node["kind"] == "IntegerLiteral" or node.get("referencedDecl", {}).get("kind") == "EnumConstantDecl"


def is_misused(mention, arrays):
    """Is an array read at a place that may be unknown, or a pointer to one made? `mention`: from the parameter's name outwards."""
    for below, node, above in zip(mention, mention[1:], mention[2:]):
        if node["kind"] in ("MemberExpr", "ParenExpr", "ArraySubscriptExpr"):
            continue
        if node["kind"] == "ImplicitCastExpr" and node["castKind"] == "ArrayToPointerDecay":
            if above["kind"] != "ArraySubscriptExpr" or not is_constant(above["inner"][1]):
                return True
            continue
        return node["kind"] == "UnaryOperator" and node["opcode"] == "&" and name_of(below["type"]["qualType"]) in arrays
    return False


def mentions(node, parameters, outer=()):
    """(name, the expression and what it is in, outwards) of each mention of a parameter."""
    outer = (node, *outer)
    if node.get("kind") == "DeclRefExpr" and node["referencedDecl"]["id"] in parameters:
        yield node["referencedDecl"]["name"], outer
    for inner in node.get("inner", []):
        yield from mentions(inner, parameters, outer)


def misused_arguments(tree):
    """The kernels, each with its argument, that index an array in it with what is not constant."""
    arrays, found = structs_with_arrays(tree), set()
    for kernel in (node for node in tree["inner"] if node["kind"] == "FunctionDecl"):
        parts = kernel.get("inner", [])
        if not any(part["kind"] == "OpenCLKernelAttr" for part in parts):
            continue
        parameters = {part["id"] for part in parts if part["kind"] == "ParmVarDecl" and name_of(part["type"]["qualType"]) in arrays}
        for body in (part for part in parts if part["kind"] == "CompoundStmt"):
            found |= {f"{kernel['name']}({name})" for name, mention in mentions(body, parameters) if is_misused(mention, arrays)}
    return found
