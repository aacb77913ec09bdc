export type FileTypeGroup = {
  readonly name: string
  readonly label: string
  readonly accept: readonly string[]
}

/** Types by extension, as detected or declared. */
const TYPES_OF_ENDINGS: { readonly [ending: string]: string } = {
  '.pdf': 'application/pdf',
  '.doc': 'application/msword',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.odt': 'application/vnd.oasis.opendocument.text',
  '.rtf': 'application/rtf',
  '.epub': 'application/epub+zip',
  '.ppt': 'application/vnd.ms-powerpoint',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.odp': 'application/vnd.oasis.opendocument.presentation',
  '.xls': 'application/vnd.ms-excel',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.ods': 'application/vnd.oasis.opendocument.spreadsheet',
  '.msg': 'application/vnd.ms-outlook',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.heic': 'image/heic',
  '.heif': 'image/heif',
  '.tif': 'image/tiff',
  '.tiff': 'image/tiff',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.wav': 'audio/wav',
  '.flac': 'audio/flac',
  '.mp4': 'video/mp4',
  '.mov': 'video/quicktime',
  '.webm': 'video/webm',
  '.mkv': 'video/matroska',
}

/** Undefined for text files. */
export const typeOfEnding = (ending: string): string | undefined => TYPES_OF_ENDINGS[ending]

const typesOf = (...endings: readonly string[]): string[] => endings.flatMap((ending) => TYPES_OF_ENDINGS[ending] ?? [])

/** File type groups; types without a signature are listed by extension. */
export const FILE_TYPE_GROUPS: readonly FileTypeGroup[] = [
  { name: 'pictures', label: 'Images', accept: ['image/*'] },
  {
    name: 'documents',
    label: 'Documents',
    accept: [
      ...typesOf('.pdf', '.doc', '.docx', '.odt', '.rtf', '.epub', '.ppt', '.pptx', '.odp'),
      '.pages',
      '.key',
      '.txt',
      '.md',
    ],
  },
  {
    name: 'spreadsheets',
    label: 'Spreadsheets',
    accept: [...typesOf('.xls', '.xlsx', '.ods'), '.numbers', '.csv', '.tsv'],
  },
  { name: 'audio', label: 'Audio', accept: ['audio/*'] },
  { name: 'video', label: 'Video', accept: ['video/*'] },
  { name: 'pdf', label: 'PDF', accept: ['application/pdf'] },
]

/** Groups that together match a list exactly, in any order. */
export function fileTypeGroupsOf(accept: readonly string[]): readonly FileTypeGroup[] | undefined {
  const chosen = FILE_TYPE_GROUPS.filter((preset) => preset.accept.every((entry) => accept.includes(entry)))
  const covered = new Set(chosen.flatMap((preset) => preset.accept))
  if (!accept.every((entry) => covered.has(entry))) return undefined
  // Omits groups contained in others: PDF is part of Documents.
  return chosen.filter(
    (preset) =>
      !chosen.some((other) => other !== preset && preset.accept.every((entry) => other.accept.includes(entry))),
  )
}

/** Describes a list by its group names, or by its entries if no groups match. */
export const describeAccept = (accept: readonly string[]): string =>
  (fileTypeGroupsOf(accept)?.map(({ label }) => label) ?? accept).join(', ')

/** Matches a type, a family of types, an extension, or any file. */
const ENTRY = /^(?:[\w.+-]+\/[\w.+-]+|[\w-]+\/\*|\.[^.\s/\\,;*]{1,20}|\*(?:\/\*)?)$/

/** Reason that an entry can never match a file. */
export function acceptFault(entry: string): string | undefined {
  if (ENTRY.test(entry.trim())) return undefined
  const like = /^[a-z0-9]{1,10}$/i.test(entry.trim()) ? `.${entry.trim().toLowerCase()}` : '.pdf'
  return `“${entry}” isn’t a file type. Use an extension such as ${like}, a type such as application/pdf, or a family such as image/*.`
}
