# cmake -DOUTPUT=texts.c -DHEADER=a.h "-DTABLE=const Text texts[]" "-DFILES=a.cl|b.cl" -P embed.cmake
# The files as C arrays, and a table of them: {name without ending, text}, the last one {0, 0}.
string(REPLACE "|" ";" FILES "${FILES}")
set(arrays "")
set(rows "")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "static const char text_${name}[] = {${bytes}0};\n")
  string(APPEND rows "    {\"${name}\", text_${name}},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"${HEADER}\"\n\n${arrays}\n${TABLE} = {\n${rows}    {0, 0},\n};\n")
