# oneDNN computes convolutions on the CPU where it is faster. Its headers are enough here: the library is opened when a
# kernel first asks for it, and is not missed where there is none.
find_path(OCLITE_ONEDNN_INCLUDE_DIR oneapi/dnnl/dnnl_version.h DOC "Folder of oneDNN's headers")
set(found_onednn OFF)
if(OCLITE_ONEDNN_INCLUDE_DIR)
  file(STRINGS ${OCLITE_ONEDNN_INCLUDE_DIR}/oneapi/dnnl/dnnl_version.h major REGEX "define DNNL_VERSION_MAJOR 2$")
  if(major) # 3 is another interface
    set(found_onednn ON)
  endif()
endif()
option(OCLITE_ONEDNN "Use oneDNN 2 where it is installed" ${found_onednn})

# oclite_use_onednn(TARGET): the headers, and the library's name.
function(oclite_use_onednn target)
  target_include_directories(${target} SYSTEM PRIVATE ${OCLITE_ONEDNN_INCLUDE_DIR})
  target_compile_definitions(${target} PRIVATE LITE_ONEDNN="libdnnl.so.2")
endfunction()
