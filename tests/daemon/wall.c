/* A wall clock that a test sets: so many seconds as the file named by WALL_OFFSET holds are added to the real one. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t id, struct timespec *at) {
  int (*real)(clockid_t, struct timespec *) = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int answer = real(id, at);
  const char *path = getenv("WALL_OFFSET");
  int file = id == CLOCK_REALTIME && path ? open(path, O_RDONLY) : -1;
  if (file >= 0) {
    char text[24] = {0};
    if (read(file, text, sizeof text - 1) > 0) at->tv_sec += atol(text);
    close(file);
  }
  return answer;
}
