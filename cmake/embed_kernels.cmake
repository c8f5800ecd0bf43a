# cmake -DOUTPUT=texts.c -DHEADER=a.h -DROOT=dir "-DFILES=a.cl|b.cl" [-DSTRIP=ON] [-DWITHOUT=b.cl|c.cl] -P embed_kernels.cmake
# OpenCL C files as C constants: `const LiteClSource lite_cl_source_<name>` for each, with its parts, the last one {0, 0}. The
# parts of a file are what it includes, each once and in order, then the file itself: {name for messages, text} each. Includes
# are relative to ROOT. A text that several files include is there once.
# -DSTRIP=ON leaves out comments behind code, indentation, empty lines, `const` of variables, `inline`, underscores
# of keywords, and spaces that say nothing. Those of WITHOUT, relative to
# ROOT, are not included.
cmake_minimum_required(VERSION 3.16)
string(REPLACE "|" ";" FILES "${FILES}")
string(REPLACE "|" ";" WITHOUT "${WITHOUT}")
set(arrays "")
set(written "")

# Appends the array of a file, if it is not there, and appends the file and what it includes to `parts`.
function(add_parts path)
  file(READ ${ROOT}/${path} text)
  string(REGEX MATCHALL "#include \"[^\"\n]+" includes "${text}")
  foreach(include ${includes})
    string(REGEX REPLACE ".*\"" "" include ${include})
    if(NOT include IN_LIST parts AND NOT include IN_LIST WITHOUT)
      add_parts(${include})
    endif()
  endforeach()
  list(APPEND parts ${path})
  set(parts ${parts} PARENT_SCOPE)
  if(NOT path IN_LIST written)
    string(REGEX REPLACE "#include \"[^\n]*" "" text "${text}") # the line stays, so that messages count right
    # Lines of comments stay as empty ones.
    string(REGEX REPLACE "(^|\n)[ \t]*//[^\n]*" "\\1" text "${text}")
    if(STRIP)
      string(REGEX REPLACE "[ \t]+//[^\n]*" "" text "${text}")
      string(REGEX REPLACE "\n[ \t\n]+" "\n" text "${text}")
      string(REGEX REPLACE "  +" " " text "${text}")
      # A directive is one line then, so that a line that is none can follow the one before.
      string(REGEX REPLACE " ?\\\\\n" " " text "${text}")
      # Between names and numbers, so that no two operators become another one. Twice, as `a * b * c` overlaps.
      foreach(again 1 2)
        string(REGEX REPLACE "([]A-Za-z0-9_)]) ([=<>*+?:&|/%^-]|[=<>!]=|&&|[|][|]|<<|>>|[+*|]=) ([A-Za-z0-9_(])" "\\1\\2\\3" text "${text}")
      endforeach()
      string(REGEX REPLACE "([])A-Za-z0-9_]), " "\\1," text "${text}")
      # What no other operator comes of, whatever is beside it.
      string(REGEX REPLACE " ([?:]) " "\\1" text "${text}")
      string(REPLACE ") return" ")return" text "${text}")
      # Of variables and parameters, which nobody changes, and of what they point to.
      string(REPLACE "const __global" "__global" text "${text}")
      # Shorter names, of those that the texts alone have.
      string(REPLACE "LiteCl" "L" text "${text}")
      string(REPLACE "KERNELS_CL_" "H_" text "${text}")
      string(REPLACE "LITE_CL_RANK" "LR" text "${text}")
      string(REPLACE "integers" "ivec" text "${text}")
      string(REPLACE "accumulator" "acc_t" text "${text}")
      string(REPLACE "doubling_high_mul" "mul_2" text "${text}")
      # Either is the keyword.
      string(REGEX REPLACE "__(global|kernel|local|constant|private)([^A-Za-z0-9_])" "\\1\\2" text "${text}")
      # The compilers of processors, for which such builds are, inline everything.
      string(REGEX REPLACE "(^|[\n}])inline " "\\1" text "${text}")
      foreach(again 1 2)
        string(REGEX REPLACE "([\n{;,(] ?)const (float|int|uint|bool|size_t|vector|ivec|long|half_longs|operand|result|double|ulong|real|acc_t|row|L[A-Z][A-Za-z]*)([ *])" "\\1\\2\\3" text "${text}")
      endforeach()
      string(REGEX REPLACE "[*] ([A-Za-z_])" "*\\1" text "${text}")
      string(REGEX REPLACE "(if|for|while) \\(" "\\1(" text "${text}")
      string(REGEX REPLACE "\\) {" "){" text "${text}")
      string(REPLACE "; " ";" text "${text}")
      foreach(again RANGE 8)
        string(REGEX REPLACE "\n([^#\n][^\n]*[;{},])\n([^#\n])" "\n\\1\\2" text "${text}")
      endforeach()
    endif()
    string(HEX "${text}" bytes)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(MAKE_C_IDENTIFIER ${path} name)
    string(APPEND arrays "static const char text_${name}[] __attribute__((aligned(1))) = {${bytes}0};\n")
    list(APPEND written ${path})
  endif()
  set(arrays "${arrays}" PARENT_SCOPE)
  set(written "${written}" PARENT_SCOPE)
endfunction()

set(lists "")
foreach(file ${FILES})
  file(RELATIVE_PATH path ${ROOT} ${file})
  get_filename_component(name ${file} NAME_WE)
  set(parts "")
  add_parts(${path})
  string(APPEND lists "static const LiteClSourcePart parts_${name}[] = {\n")
  foreach(part ${parts})
    string(MAKE_C_IDENTIFIER ${part} text)
    get_filename_component(title ${part} NAME)
    string(APPEND lists "    {\"${title}\", text_${text}},\n")
  endforeach()
  string(APPEND lists "    {0, 0},\n};\n")
  string(APPEND lists "const LiteClSource lite_cl_source_${name} = {\"${name}\", parts_${name}};\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"${HEADER}\"\n\n${arrays}\n${lists}")
