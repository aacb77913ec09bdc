import type { PickedFile } from '#web/client/uploads/upload-job.ts'

/** More files than this are not taken in one go; nobody means to. */
const MOST_AT_ONCE = 10_000

/** Files that come with every folder of some systems and that nobody wants to keep. */
const LITTER = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini'])

const isWanted = ({ file }: PickedFile): boolean => !LITTER.has(file.name)

/** Files that were chosen; those of a folder know their way in it. */
export const filesOfChoice = (chosen: Iterable<File>): readonly PickedFile[] =>
  [...chosen]
    .map((file) => ({ file, path: folderOf(file.webkitRelativePath ?? '') }))
    .filter(isWanted)
    .slice(0, MOST_AT_ONCE)

/** The way to a file, without its name. */
const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** Whether a drag or a paste carries files. */
export const carriesFiles = (data: DataTransfer | null): data is DataTransfer => data?.types.includes('Files') ?? false

/** What was dropped, with all that is in folders. What the drop holds must be asked at once: it is gone afterwards. */
export function filesOfDrop(data: DataTransfer): Promise<readonly PickedFile[]> {
  const dropped = [...data.items].flatMap((item) => {
    if (item.kind !== 'file') return []
    const entry = item.webkitGetAsEntry?.() ?? null
    const file = item.getAsFile()
    return entry === null && file === null ? [] : [{ entry, file }]
  })
  return readAll(dropped)
}

type Dropped = { readonly entry: FileSystemEntry | null; readonly file: File | null }

async function readAll(dropped: readonly Dropped[]): Promise<readonly PickedFile[]> {
  const found: PickedFile[] = []
  for (const { entry, file } of dropped) {
    if (entry?.isDirectory === true) await walk(entry, found)
    else if (file !== null) found.push({ file, path: '' })
  }
  return found.filter(isWanted)
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile

/** Reads a folder and all within it; what cannot be read is left out, as the browser shows it to nobody. */
async function walk(entry: FileSystemEntry, found: PickedFile[]): Promise<void> {
  if (found.length >= MOST_AT_ONCE) return
  if (isFile(entry)) {
    const file = await new Promise<File | undefined>((resolve) => entry.file(resolve, () => resolve(undefined)))
    if (file) found.push({ file, path: folderOf(entry.fullPath.replace(/^\//, '')) })
  }
  if (!isFolder(entry)) return
  const reader = entry.createReader()
  const next = () => new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])))
  // A folder is told in parts, the last of which is empty.
  for (let part = await next(); part.length > 0; part = await next()) for (const each of part) await walk(each, found)
}
