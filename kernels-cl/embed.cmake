# cmake -DOUTPUT=sources.c "-DFILES=a.cl|b.cl" -P embed.cmake: the files as C arrays and a table of them.
string(REPLACE "|" ";" FILES "${FILES}")
set(arrays "")
set(table "")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "static const char text_${name}[] = {${bytes}0};\n")
  string(APPEND table "    {\"${name}\", text_${name}},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"delegate-opencl/sources.h\"\n\n${arrays}
const LiteClSource lite_cl_sources[] = {\n${table}    {0, 0},\n};\n")
