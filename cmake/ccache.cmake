# ccache, where it is installed and no other launcher is asked for. Paths below the checkout count as relative ones, and the
# folder that is built in does not count, so that further checkouts and builds find what the first one has compiled.
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_C_COMPILER_LAUNCHER)
  find_program(OCLITE_CCACHE ccache)
  if(OCLITE_CCACHE)
    foreach(language C CXX)
      set(CMAKE_${language}_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
        ${OCLITE_CCACHE})
    endforeach()
  endif()
endif()
