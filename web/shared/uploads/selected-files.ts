import type { SelectedFile } from '#web/data/uploads/upload-types.ts'

const MAX_FILES = 10_000

/** Metadata files that operating systems create in folders. */
const IGNORED_FILES = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini'])

const isNotIgnored = ({ file }: SelectedFile): boolean => !IGNORED_FILES.has(file.name)

export const filesOfInput = (chosen: Iterable<File>): readonly SelectedFile[] =>
  [...chosen]
    .map((file) => ({ file, path: folderOf(file.webkitRelativePath ?? '') }))
    .filter(isNotIgnored)
    .slice(0, MAX_FILES)

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

export const carriesFiles = (data: DataTransfer | null): data is DataTransfer => data?.types.includes('Files') ?? false

/** Includes files in folders. Must be called synchronously, because drop data is available only during the event. */
export function filesOfDrop(data: DataTransfer): Promise<readonly SelectedFile[]> {
  const dropped = [...data.items].flatMap((item) => {
    if (item.kind !== 'file') return []
    const entry = item.webkitGetAsEntry?.() ?? null
    const file = item.getAsFile()
    return entry === null && file === null ? [] : [{ entry, file }]
  })
  return readAll(dropped)
}

type Dropped = { readonly entry: FileSystemEntry | null; readonly file: File | null }

async function readAll(dropped: readonly Dropped[]): Promise<readonly SelectedFile[]> {
  const found: SelectedFile[] = []
  for (const { entry, file } of dropped) {
    if (entry?.isDirectory === true) await walk(entry, found)
    else if (file !== null) found.push({ file, path: '' })
  }
  return found.filter(isNotIgnored)
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile

/** Unreadable entries are skipped. */
async function walk(entry: FileSystemEntry, found: SelectedFile[]): Promise<void> {
  if (found.length >= MAX_FILES) return
  if (isFile(entry)) {
    const file = await new Promise<File | undefined>((resolve) => entry.file(resolve, () => resolve(undefined)))
    if (file) found.push({ file, path: folderOf(entry.fullPath.replace(/^\//, '')) })
  }
  if (!isFolder(entry)) return
  const reader = entry.createReader()
  const next = () => new Promise<FileSystemEntry[]>((resolve) => reader.readEntries(resolve, () => resolve([])))
  // A directory is read in batches until a batch is empty.
  for (let part = await next(); part.length > 0; part = await next()) for (const each of part) await walk(each, found)
}
