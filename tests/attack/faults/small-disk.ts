import { execFile } from 'node:child_process'
import { mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** A small in-memory disk that can be filled. */
export type SmallDisk = {
  readonly folder: string
  readonly fill: () => Promise<void>
  readonly makeRoom: () => Promise<void>
  /** Makes the disk's files and folders read-only, even for programs that have them open. */
  readonly freeze: () => Promise<void>
  readonly thaw: () => Promise<void>
  readonly closeToWriters: () => Promise<void>
  readonly openToWriters: () => Promise<void>
  readonly remove: () => Promise<void>
}

/** Making files read-only fails if one disappears in the meantime, so it is retried. */
const FREEZING_TRIES = 5

export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'dossier-disk-'))
  await execute('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  const ballast = join(folder, 'ballast')
  const mark = async (flag: '+i' | '-i'): Promise<void> => {
    const names = await readdir(folder, { recursive: true })
    await execute('chattr', ['-f', flag, folder, ...names.map((name) => join(folder, name))])
  }
  const freeze = async (): Promise<void> => {
    for (let tried = 1; tried < FREEZING_TRIES; tried += 1) {
      const isFrozen = await mark('+i').then(
        () => true,
        () => false,
      )
      if (isFrozen) return
    }
    await mark('+i')
  }
  const remount = async (how: 'ro' | 'rw'): Promise<void> =>
    void (await execute('mount', ['-o', `remount,${how}`, folder]))
  return {
    folder,
    fill: () => fillWith(ballast),
    makeRoom: () => rm(ballast, { force: true }),
    freeze,
    thaw: () => mark('-i'),
    closeToWriters: () => remount('ro'),
    openToWriters: () => remount('rw'),
    remove: async () => {
      await execute('umount', [folder])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The reason this machine can't mount a small disk, if any. */
export async function smallDiskUnavailableReason(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'disks in memory need Linux'
  return mountSmallDisk(1).then(
    async (disk) => {
      const cannot = await disk.freeze().then(
        () => undefined,
        () => 'files cannot be made immutable here',
      )
      await disk.thaw().then(undefined, () => undefined)
      await disk.remove()
      return cannot
    },
    () => 'mounting is not allowed here',
  )
}

/** Writes smaller and smaller blocks until the disk is full. */
async function fillWith(path: string): Promise<void> {
  const handle = await open(path, 'a')
  for (let piece = 1_048_576; piece >= 512; piece /= 2) {
    for (let isRoom = true; isRoom; ) {
      isRoom = await handle.write(Buffer.alloc(piece)).then(
        ({ bytesWritten }) => bytesWritten === piece,
        () => false,
      )
    }
  }
  await handle.close()
}
