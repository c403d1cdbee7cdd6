/* A USB camera for tests, preloaded into a program: /dev/video77 answers as the kernel's driver for USB cameras does.
 *
 * It gives the pictures of the file $USB_CAMERA/film, one after the other and over again: each its length (4 bytes,
 * the machine's order), then a JPEG. It takes note in $USB_CAMERA/log of each control that is set. Options, from the
 * environment: USB_CAMERA_SIZE=640x480 (of its pictures), USB_CAMERA_FPS, for how long it gives no first picture
 * (USB_CAMERA_LATE_S), and after how many pictures it falls silent
 * (USB_CAMERA_STALLS), is unplugged (USB_CAMERA_UNPLUGGED), or sends the larger pictures of $USB_CAMERA/other
 * (USB_CAMERA_CHANGES). With USB_CAMERA_LIVE=1 each picture is the JPEG that lies in $USB_CAMERA/live just then. With USB_CAMERA_YUYV=1 it has no Motion-JPEG: all its pictures are grey, 120 of 255.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#define ROOM (4L * 1024 * 1024) /* bytes of a picture at most */
#define BUFFERS 16
#define OPEN_MOST 1024

struct film { unsigned char *data; long length, at; };

static char is_ours[OPEN_MOST];
static unsigned width, height, pixel_format, fps;
static unsigned queue[BUFFERS * 2], taken, queued, pictures;
static int streaming = -1;
static double began_s;
static char *memory;
static struct film film, other;
static struct { unsigned id; int value; } controls[] = {
    {V4L2_CID_EXPOSURE_AUTO, V4L2_EXPOSURE_APERTURE_PRIORITY}, {V4L2_CID_EXPOSURE_ABSOLUTE, 156},
    {V4L2_CID_EXPOSURE_AUTO_PRIORITY, 1}, {V4L2_CID_AUTO_WHITE_BALANCE, 1}, {V4L2_CID_WHITE_BALANCE_TEMPERATURE, 4600},
    {V4L2_CID_FOCUS_AUTO, 1}, {V4L2_CID_FOCUS_ABSOLUTE, 30},
};

static int option(const char *name, int otherwise)
{
    const char *text = getenv(name);
    return text ? atoi(text) : otherwise;
}

static int has_happened(const char *name)
{
    const char *text = getenv(name);
    return text && pictures >= (unsigned)atoi(text);
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void note(const char *what, long one, long two)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/log", getenv("USB_CAMERA"));
    FILE *log = fopen(path, "a");
    if (!log) return;
    fprintf(log, "%s %ld %ld\n", what, one, two);
    fclose(log);
}

static struct film film_of(const char *name)
{
    char path[4096];
    struct film found = {0};
    snprintf(path, sizeof path, "%s/%s", getenv("USB_CAMERA"), name);
    FILE *file = fopen(path, "rb");
    if (!file) return found;
    fseek(file, 0, SEEK_END);
    found.length = ftell(file);
    rewind(file);
    found.data = malloc(found.length);
    found.length = fread(found.data, 1, found.length, file);
    fclose(file);
    return found;
}

static unsigned next_picture(struct film *from, char *to)
{
    unsigned length;
    if (from->at >= from->length) from->at = 0;
    memcpy(&length, from->data + from->at, 4);
    memcpy(to, from->data + from->at + 4, length);
    from->at += 4 + length;
    return length;
}

static unsigned live_picture(char *to)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/live", getenv("USB_CAMERA"));
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    unsigned length = fread(to, 1, ROOM, file);
    fclose(file);
    return length;
}

static int open_ours(const char *path)
{
    if (strcmp(path, "/dev/video77") || !getenv("USB_CAMERA")) return -2;
    if (has_happened("USB_CAMERA_UNPLUGGED")) { errno = ENOENT; return -1; }
    int handle = memfd_create("video77", 0);
    if (handle < 0 || handle >= OPEN_MOST || ftruncate(handle, ROOM * BUFFERS)) return -1;
    is_ours[handle] = 1;
    if (!width) {
        film = film_of("film");
        other = film_of("other");
        sscanf(getenv("USB_CAMERA_SIZE") ? getenv("USB_CAMERA_SIZE") : "1280x720", "%ux%u", &width, &height);
        pixel_format = V4L2_PIX_FMT_YUYV;
        fps = option("USB_CAMERA_FPS", 30);
    }
    return handle;
}

#define OPENER(name)                                                            \
    int name(const char *path, int flags, ...)                                  \
    {                                                                           \
        va_list more;                                                           \
        va_start(more, flags);                                                  \
        int mode = va_arg(more, int);                                           \
        va_end(more);                                                           \
        int handle = open_ours(path);                                           \
        if (handle != -2) return handle;                                        \
        int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, #name);          \
        return real(path, flags, mode);                                         \
    }
OPENER(open)
OPENER(open64)
OPENER(__open_2)
OPENER(__open64_2)

int close(int handle)
{
    int (*real)(int) = dlsym(RTLD_NEXT, "close");
    if (handle >= 0 && handle < OPEN_MOST) is_ours[handle] = 0;
    if (handle == streaming) streaming = -1;
    return real(handle);
}

static void wait_until(double due_s)
{
    double left_s = due_s - now_s();
    if (left_s > 0) usleep(left_s * 1e6);
}

int select(int most, fd_set *readers, fd_set *writers, fd_set *errors, struct timeval *patience)
{
    if (streaming < 0 || !readers || !FD_ISSET(streaming, readers)) {
        int (*real)(int, fd_set *, fd_set *, fd_set *, struct timeval *) = dlsym(RTLD_NEXT, "select");
        return real(most, readers, writers, errors, patience);
    }
    double patience_s = patience->tv_sec + patience->tv_usec / 1e6, due_s = began_s + (pictures + 1.0) / fps;
    if (has_happened("USB_CAMERA_STALLS") || due_s - now_s() > patience_s) {
        usleep(patience_s * 1e6);
        FD_ZERO(readers);
        return 0;
    }
    wait_until(due_s);
    return 1;
}

static int tell_format(struct v4l2_format *asked, int is_set)
{
    struct v4l2_pix_format *picture = &asked->fmt.pix;
    if (is_set && picture->pixelformat == V4L2_PIX_FMT_MJPEG && !option("USB_CAMERA_YUYV", 0))
        pixel_format = V4L2_PIX_FMT_MJPEG;
    if (is_set && picture->pixelformat == V4L2_PIX_FMT_YUYV) pixel_format = V4L2_PIX_FMT_YUYV;
    if (is_set && option("USB_CAMERA_YUYV", 0) && picture->width) {
        width = picture->width > 640 ? 1280 : 640;
        height = picture->width > 640 ? 720 : 480;
    }
    picture->pixelformat = pixel_format;
    picture->width = width;
    picture->height = height;
    picture->bytesperline = pixel_format == V4L2_PIX_FMT_YUYV ? width * 2 : 0;
    picture->sizeimage = ROOM;
    picture->field = V4L2_FIELD_NONE;
    return 0;
}

static int tell_rate(struct v4l2_streamparm *asked, int is_set)
{
    struct v4l2_captureparm *capture = &asked->parm.capture;
    unsigned most = pixel_format == V4L2_PIX_FMT_MJPEG ? (unsigned)option("USB_CAMERA_FPS", 30) : width > 640 ? 10 : 30;
    if (is_set && capture->timeperframe.numerator)
        fps = capture->timeperframe.denominator / capture->timeperframe.numerator;
    if (fps > most) fps = most;
    capture->capability = V4L2_CAP_TIMEPERFRAME;
    capture->timeperframe.numerator = 1;
    capture->timeperframe.denominator = fps;
    return 0;
}

static int give_picture(struct v4l2_buffer *buffer)
{
    if (has_happened("USB_CAMERA_STALLS") || taken == queued) { errno = EAGAIN; return -1; }
    double due_s = began_s + (pictures + 1.0) / fps;
    wait_until(due_s);
    buffer->index = queue[taken++ % (BUFFERS * 2)];
    char *room = memory + ROOM * buffer->index;
    if (pixel_format == V4L2_PIX_FMT_MJPEG) {
        buffer->bytesused = option("USB_CAMERA_LIVE", 0)
            ? live_picture(room)
            : next_picture(has_happened("USB_CAMERA_CHANGES") ? &other : &film, room);
    } else {
        for (unsigned at = 0; at < width * height; at++) { room[2 * at] = 120; room[2 * at + 1] = (char)128; }
        buffer->bytesused = width * height * 2;
    }
    pictures++;
    buffer->length = ROOM;
    buffer->sequence = pictures;
    buffer->timestamp.tv_sec = (long)due_s;
    buffer->timestamp.tv_usec = (due_s - (long)due_s) * 1e6;
    buffer->flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC | V4L2_BUF_FLAG_DONE;
    return 0;
}

static int stream(int handle)
{
    streaming = handle;
    memory = mmap(0, ROOM * BUFFERS, PROT_READ | PROT_WRITE, MAP_SHARED, handle, 0);
    began_s = now_s() + option("USB_CAMERA_LATE_S", 0);
    pictures = 0;
    return memory == MAP_FAILED ? -1 : 0;
}

static int control(struct v4l2_control *asked, int is_set)
{
    for (unsigned at = 0; at < sizeof controls / sizeof *controls; at++) {
        if (controls[at].id != asked->id) continue;
        if (is_set) { controls[at].value = asked->value; note("control", asked->id, asked->value); }
        asked->value = controls[at].value;
        return 0;
    }
    errno = EINVAL;
    return -1;
}

static int answer(int handle, unsigned request, void *about)
{
    struct v4l2_requestbuffers *room = about;
    struct v4l2_buffer *buffer = about;
    struct v4l2_capability *what = about;
    switch (request) {
    case VIDIOC_QUERYCAP:
        memset(what, 0, sizeof *what);
        strcpy((char *)what->driver, "uvcvideo");
        what->device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
        what->capabilities = what->device_caps | V4L2_CAP_DEVICE_CAPS;
        return 0;
    case VIDIOC_G_FMT: return tell_format(about, 0);
    case VIDIOC_TRY_FMT:
    case VIDIOC_S_FMT: return tell_format(about, 1);
    case VIDIOC_G_PARM: return tell_rate(about, 0);
    case VIDIOC_S_PARM: return tell_rate(about, 1);
    case VIDIOC_G_CTRL: return control(about, 0);
    case VIDIOC_S_CTRL: return control(about, 1);
    case VIDIOC_REQBUFS:
        if (room->count > BUFFERS) room->count = BUFFERS;
        taken = queued = 0;
        return 0;
    case VIDIOC_QUERYBUF: buffer->length = ROOM; buffer->m.offset = buffer->index * ROOM; return 0;
    case VIDIOC_QBUF: queue[queued++ % (BUFFERS * 2)] = buffer->index; return 0;
    case VIDIOC_STREAMON: return stream(handle);
    case VIDIOC_STREAMOFF: streaming = -1; return 0;
    case VIDIOC_DQBUF: return give_picture(about);
    default: errno = EINVAL; return -1;
    }
}

int ioctl(int handle, unsigned long request, ...)
{
    va_list more;
    va_start(more, request);
    void *about = va_arg(more, void *);
    va_end(more);
    if (handle < 0 || handle >= OPEN_MOST || !is_ours[handle]) {
        int (*real)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
        return real(handle, request, about);
    }
    if (has_happened("USB_CAMERA_UNPLUGGED")) { errno = ENODEV; return -1; }
    return answer(handle, request & 0xffffffffUL, about);
}
