import type { FilesOptions } from '#domain/fields/field.ts'
import type { SelectedFile } from '#web/data/uploads/upload-types.ts'
import { plural, t } from '#web/i18n/t.ts'
import { couldBeAccepted } from '#domain/uploads/file-rules.ts'
import { describeAccept } from '#domain/uploads/file-type-groups.ts'
import { formatBytes } from '#web/ui/text/format-numbers.ts'

type FileFacts = { readonly name: string; readonly type: string; readonly size: number }

/** Undefined if the file may be uploaded; the server then validates its content. */
export function fileError(file: FileFacts, { accept = [], maxBytes }: FilesOptions): string | undefined {
  if (file.size === 0) return t('“{name}” is empty. Choose another file.', { name: file.name })
  if (maxBytes !== undefined && file.size > maxBytes) {
    const sizes = t('“{name}” is {fileCount}. The limit is {maxBytes}.', {
      name: file.name,
      fileCount: formatBytes(file.size),
      maxBytes: formatBytes(maxBytes),
    })
    return t('{sizes} Choose a smaller file, or ask an owner to raise the limit.', { sizes })
  }
  if (!couldBeAccepted({ accept }, file)) {
    return t('“{name}” has a file type this field doesn’t accept. Accepted: {acceptInWords}.', {
      name: file.name,
      acceptInWords: describeAccept(accept),
    })
  }
  return undefined
}

export type AcceptedFiles = { readonly taken: readonly SelectedFile[]; readonly refusal: string | undefined }

const MAX_MESSAGES = 3

/** `room`: the number of files that can still be added. */
export function acceptFiles(picked: readonly SelectedFile[], options: FilesOptions, room: number): AcceptedFiles {
  const checked = picked.map((each) => ({ each, refusal: fileError(each.file, options) }))
  const fitting = checked.flatMap(({ each, refusal }) => (refusal === undefined ? each : []))
  const refusals = checked.flatMap(({ refusal }) => refusal ?? [])
  const taken = fitting.slice(0, Math.max(0, room))
  const left = fitting.length - taken.length
  const more = refusals.length - MAX_MESSAGES
  const sentences = [
    ...refusals.slice(0, MAX_MESSAGES),
    ...(more > 0 ? [t('{more} more couldn’t be added for similar reasons.', { more })] : []),
    ...(left > 0 ? [describeTooMany(options.max ?? 0, left)] : []),
  ]
  return { taken, refusal: sentences.length === 0 ? undefined : sentences.join(' ') }
}

const describeTooMany = (max: number, left: number): string =>
  [
    plural(max, 'This field allows only one file.', 'This field allows up to {n} files.'),
    plural(left, 'One file wasn’t added. Remove a file first.', '{n} files weren’t added. Remove some files first.'),
  ].join(' ')
