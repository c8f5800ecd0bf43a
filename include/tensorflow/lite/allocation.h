// SPDX-License-Identifier: Apache-2.0
// Where the bytes of a model are: in a file that is mapped or copied, or in memory of the program's.
//
//     std::unique_ptr<tflite::Allocation> file(new tflite::MMAPAllocation("model.tflite", reporter));
//     auto model = tflite::FlatBufferModel::BuildFromAllocation(std::move(file), reporter);
#ifndef TENSORFLOW_LITE_ALLOCATION_H_
#define TENSORFLOW_LITE_ALLOCATION_H_
// The original has these classes in a second file, with this guard. A program that includes both headers gets
// one definition.
#ifndef TENSORFLOW_COMPILER_MLIR_LITE_ALLOCATION_H_
#define TENSORFLOW_COMPILER_MLIR_LITE_ALLOCATION_H_

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "tensorflow/lite/core/api/error_reporter.h"

namespace tflite {

// An object whose valid() is false has no bytes; what is wrong was reported when it was created. An error
// reporter of nullptr is not told.
class Allocation {
  public:
    using Ptr = std::unique_ptr<Allocation>;
    enum class Type { kMMap, kFileCopy, kMemory };

    virtual ~Allocation() = default;
    Allocation(const Allocation&) = delete;
    Allocation& operator=(const Allocation&) = delete;

    virtual const void* base() const = 0;
    virtual size_t bytes() const = 0;
    virtual bool valid() const = 0;
    Type type() const { return type_; }

  protected:
    Allocation(ErrorReporter* error_reporter, Type type) : error_reporter_(error_reporter), type_(type) {}

    template <class... Args> void Report(const char* format, Args... args) const {
        if (error_reporter_ != nullptr) error_reporter_->Report(format, args...);
    }

    ErrorReporter* error_reporter_;

  private:
    const Type type_;
};

// A file, or a part of it, mapped into memory.
class MMAPAllocation : public Allocation {
  public:
    MMAPAllocation(const char* filename, ErrorReporter* error_reporter)
        : Allocation(error_reporter, Type::kMMap), mmap_fd_(Open(filename)) {
        Map(0, SizeOfFile());
    }
    // `length` bytes from `offset` on.
    MMAPAllocation(const char* filename, size_t offset, size_t length, ErrorReporter* error_reporter)
        : Allocation(error_reporter, Type::kMMap), mmap_fd_(Open(filename)) {
        Map(offset, length);
    }
    // The same for an open file. The descriptor stays the caller's, who may close it afterwards.
    MMAPAllocation(int fd, ErrorReporter* error_reporter)
        : Allocation(error_reporter, Type::kMMap), mmap_fd_(Duplicate(fd)) {
        Map(0, SizeOfFile());
    }
    MMAPAllocation(int fd, size_t offset, size_t length, ErrorReporter* error_reporter)
        : Allocation(error_reporter, Type::kMMap), mmap_fd_(Duplicate(fd)) {
        Map(offset, length);
    }
    ~MMAPAllocation() override {
        if (valid()) munmap(const_cast<void*>(mmapped_buffer_), mmapped_buffer_size());
        if (mmap_fd_ >= 0) close(mmap_fd_);
    }

    const void* base() const override {
        return valid() ? static_cast<const char*>(mmapped_buffer_) + offset_in_buffer_ : nullptr;
    }
    size_t bytes() const override { return buffer_size_bytes_; }
    bool valid() const override { return mmapped_buffer_ != MAP_FAILED; }

    int fd() const { return mmap_fd_; }
    // What is mapped begins with a page: its address, its size, and where in the file it begins.
    const void* mmapped_buffer() const { return mmapped_buffer_; }
    size_t mmapped_buffer_size() const { return buffer_size_bytes_ + offset_in_buffer_; }
    size_t mmapped_buffer_offset_in_file() const { return offset_of_buffer_in_file_; }

    static bool IsSupported() { return true; }

  private:
    int Open(const char* filename) const {
        const int fd = filename == nullptr ? -1 : open(filename, O_RDONLY);
        if (fd < 0) Report("Could not open '%s'.", filename == nullptr ? "" : filename);
        return fd;
    }
    int Duplicate(int fd) const {
        const int copy = dup(fd);
        if (copy < 0) Report("Failed to dup '%d' file descriptor.", fd);
        return copy;
    }
    size_t SizeOfFile() const {
        struct stat status;
        return mmap_fd_ >= 0 && fstat(mmap_fd_, &status) == 0 ? static_cast<size_t>(status.st_size) : 0;
    }
    void Map(size_t offset, size_t length) {
        if (mmap_fd_ < 0) return;
        const size_t size = SizeOfFile();
        if (length == 0 || offset > size || length > size - offset) {
            Report("Asked to mmap %zu bytes at offset %zu of a file of %zu bytes.", length, offset, size);
            return;
        }
        const size_t page = static_cast<size_t>(sysconf(_SC_PAGE_SIZE));
        const size_t offset_in_buffer = offset % page;
        void* mapped = mmap(nullptr, length + offset_in_buffer, PROT_READ, MAP_SHARED, mmap_fd_,
                            static_cast<off_t>(offset - offset_in_buffer));
        if (mapped == MAP_FAILED) {
            Report("Mmap of '%d' at offset '%zu' failed with error '%d'.", mmap_fd_, offset, errno);
            return;
        }
        mmapped_buffer_ = mapped;
        buffer_size_bytes_ = length;
        offset_in_buffer_ = offset_in_buffer;
        offset_of_buffer_in_file_ = offset - offset_in_buffer;
    }

    int mmap_fd_;
    const void* mmapped_buffer_ = MAP_FAILED;
    size_t buffer_size_bytes_ = 0;
    size_t offset_in_buffer_ = 0;
    size_t offset_of_buffer_in_file_ = 0;
};

// A copy of a file.
class FileCopyAllocation : public Allocation {
  public:
    FileCopyAllocation(const char* filename, ErrorReporter* error_reporter)
        : Allocation(error_reporter, Type::kFileCopy) {
        const std::unique_ptr<FILE, int (*)(FILE*)> file(
            filename == nullptr ? nullptr : std::fopen(filename, "rb"), std::fclose);
        struct stat status;
        if (file == nullptr || fstat(fileno(file.get()), &status) != 0) {
            Report("Could not open '%s'.", filename == nullptr ? "" : filename);
            return;
        }
        const size_t size = static_cast<size_t>(status.st_size);
        std::unique_ptr<char[]> buffer(new char[size + 1]);
        const size_t read = std::fread(buffer.get(), 1, size, file.get());
        if (read != size) {
            Report("Read of '%s' failed (too few bytes read: %zu of %zu).", filename, read, size);
            return;
        }
        copied_buffer_ = std::move(buffer);
        buffer_size_bytes_ = size;
    }

    const void* base() const override { return copied_buffer_.get(); }
    size_t bytes() const override { return buffer_size_bytes_; }
    bool valid() const override { return copied_buffer_ != nullptr; }

  private:
    std::unique_ptr<const char[]> copied_buffer_;
    size_t buffer_size_bytes_ = 0;
};

// Bytes of the program's, which must live as long as the object. They need no alignment.
class MemoryAllocation : public Allocation {
  public:
    MemoryAllocation(const void* ptr, size_t num_bytes, ErrorReporter* error_reporter)
        : Allocation(error_reporter, Type::kMemory), buffer_(ptr), buffer_size_bytes_(ptr ? num_bytes : 0) {}

    const void* base() const override { return buffer_; }
    size_t bytes() const override { return buffer_size_bytes_; }
    bool valid() const override { return buffer_ != nullptr; }

  private:
    const void* buffer_;
    size_t buffer_size_bytes_;
};

} // namespace tflite

#endif
#endif
