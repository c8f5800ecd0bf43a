# The Java binding is built where a JDK is here: javac and jar of Java 11 or later, and the headers of JNI. What FindJNI
# looks for beside these (libraries of the machine and its windows) is not needed, and not in every JDK.
find_package(Java 11 QUIET COMPONENTS Development)
if(Java_Development_FOUND AND NOT JAVA_HOME) # where FindJNI looks first: javac is a link to a folder of the JDK
  get_filename_component(javac ${Java_JAVAC_EXECUTABLE} REALPATH)
  get_filename_component(JAVA_HOME ${javac}/../.. ABSOLUTE)
endif()
find_package(JNI QUIET)
set(found_java OFF)
if(Java_Development_FOUND AND JAVA_INCLUDE_PATH AND JAVA_INCLUDE_PATH2)
  set(found_java ON)
endif()
# A Python wheel has no place for a jar, and of the sanitizers only that of addresses can be loaded into the Java machine.
set(java_is_possible ON)
if(SKBUILD OR NOT is_whole OR (OCLITE_SANITIZE AND NOT OCLITE_SANITIZE MATCHES "^address"))
  set(java_is_possible OFF)
endif()
cmake_dependent_option(OCLITE_JAVA "Build the Java binding" ${found_java} java_is_possible OFF)
if(OCLITE_JAVA AND NOT found_java)
  message(FATAL_ERROR "OCLITE_JAVA: there is no JDK 11 or later with javac, jar and jni.h; JAVA_HOME names its folder")
endif()
