import type { FilesOptions } from '#domain/fields/field.ts'
import { couldBeAccepted } from '#domain/uploads/file-rules.ts'
import { describeAccept } from '#domain/uploads/file-type-groups.ts'
import { formatBytes } from '#web/ui/text/format-bytes.ts'
import { t } from '#web/i18n/t.ts'

/** As much of a file as its acceptance depends on. */
export type FileFacts = { readonly name: string; readonly type: string; readonly size: number }

/**
 * Why a file is not even sent, in a sentence; undefined when it may be tried. The server judges for itself by the bytes.
 */
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
