/** A system call's numbers; undefined where the processor's Linux does not have it. */
interface SystemCall {
  readonly x64?: number;
  readonly arm64?: number;
}

/**
 * System calls that no engine makes, as in the filters of Flatpak and Docker: for administrators, for debuggers, and
 * large or old parts of the kernel in which most of its vulnerabilities were found. Numbers:
 * `arch/x86/entry/syscalls/syscall_64.tbl` and `include/uapi/asm-generic/unistd.h` of Linux.
 */
export const REFUSED_CALLS: Readonly<Record<string, SystemCall>> = {
  // Mounts, and files by handle, which are outside the mounted folders.
  mount: { x64: 165, arm64: 40 },
  umount2: { x64: 166, arm64: 39 },
  pivot_root: { x64: 155, arm64: 41 },
  chroot: { x64: 161, arm64: 51 },
  open_tree: { x64: 428, arm64: 428 },
  move_mount: { x64: 429, arm64: 429 },
  fsopen: { x64: 430, arm64: 430 },
  fsconfig: { x64: 431, arm64: 431 },
  fsmount: { x64: 432, arm64: 432 },
  fspick: { x64: 433, arm64: 433 },
  mount_setattr: { x64: 442, arm64: 442 },
  name_to_handle_at: { x64: 303, arm64: 264 },
  open_by_handle_at: { x64: 304, arm64: 265 },
  fanotify_init: { x64: 300, arm64: 262 },
  fanotify_mark: { x64: 301, arm64: 263 },
  swapon: { x64: 167, arm64: 224 },
  swapoff: { x64: 168, arm64: 225 },
  quotactl: { x64: 179, arm64: 60 },
  quotactl_fd: { x64: 443, arm64: 443 },
  acct: { x64: 163, arm64: 89 },
  // Other processes.
  setns: { x64: 308, arm64: 268 },
  ptrace: { x64: 101, arm64: 117 },
  process_vm_readv: { x64: 310, arm64: 270 },
  process_vm_writev: { x64: 311, arm64: 271 },
  kcmp: { x64: 312, arm64: 272 },
  pidfd_getfd: { x64: 438, arm64: 438 },
  process_madvise: { x64: 440, arm64: 440 },
  move_pages: { x64: 279, arm64: 239 },
  migrate_pages: { x64: 256, arm64: 238 },
  // Keys, programs and modules in the kernel; measurements of it; page faults in user space.
  add_key: { x64: 248, arm64: 217 },
  request_key: { x64: 249, arm64: 218 },
  keyctl: { x64: 250, arm64: 219 },
  bpf: { x64: 321, arm64: 280 },
  init_module: { x64: 175, arm64: 105 },
  finit_module: { x64: 313, arm64: 273 },
  delete_module: { x64: 176, arm64: 106 },
  kexec_load: { x64: 246, arm64: 104 },
  kexec_file_load: { x64: 320, arm64: 294 },
  perf_event_open: { x64: 298, arm64: 241 },
  syslog: { x64: 103, arm64: 116 },
  lookup_dcookie: { x64: 212, arm64: 18 },
  userfaultfd: { x64: 323, arm64: 282 },
  // The machine.
  reboot: { x64: 169, arm64: 142 },
  settimeofday: { x64: 164, arm64: 170 },
  clock_settime: { x64: 227, arm64: 112 },
  adjtimex: { x64: 159, arm64: 171 },
  clock_adjtime: { x64: 305, arm64: 266 },
  sethostname: { x64: 170, arm64: 161 },
  setdomainname: { x64: 171, arm64: 162 },
  vhangup: { x64: 153, arm64: 58 },
  iopl: { x64: 172 },
  ioperm: { x64: 173 },
  modify_ldt: { x64: 154 },
  // Obsolete.
  create_module: { x64: 174 },
  get_kernel_syms: { x64: 177 },
  query_module: { x64: 178 },
  nfsservctl: { x64: 180, arm64: 42 },
  uselib: { x64: 134 },
  ustat: { x64: 136 },
  sysfs: { x64: 139 },
  _sysctl: { x64: 156 },
};

/**
 * System calls that are reported as missing, so that the C library and libuv use older ones: the filter cannot read the
 * flags of clone3, and io_uring calls the kernel without passing the filter.
 */
export const MISSING_CALLS: Readonly<Record<string, SystemCall>> = {
  clone3: { x64: 435, arm64: 435 },
  io_uring_setup: { x64: 425, arm64: 425 },
  io_uring_enter: { x64: 426, arm64: 426 },
  io_uring_register: { x64: 427, arm64: 427 },
};

/** System calls that depend on an argument. */
export const CHECKED_CALLS = {
  clone: { x64: 56, arm64: 220 },
  unshare: { x64: 272, arm64: 97 },
  socket: { x64: 41, arm64: 198 },
  ioctl: { x64: 16, arm64: 29 },
  personality: { x64: 135, arm64: 92 },
} as const;
