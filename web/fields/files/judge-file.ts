import type { FilesOptions } from '#domain/fields/field.ts'
import { mayFit } from '#domain/uploads/file-rules.ts'
import { acceptInWords } from '#domain/uploads/type-presets.ts'
import { formatBytes } from '#web/kit/format-bytes.ts'

/** As much of a file as its acceptance depends on. */
export type FileFacts = { readonly name: string; readonly type: string; readonly size: number }

/**
 * Why a file is not even sent, in a sentence; undefined when it may be tried. The server judges for itself by the bytes.
 */
export function refusalOf(file: FileFacts, { accept = [], maxBytes }: FilesOptions): string | undefined {
  if (file.size === 0) return `“${file.name}” is empty. Choose another file.`
  if (maxBytes !== undefined && file.size > maxBytes) {
    const sizes = `“${file.name}” is ${formatBytes(file.size)}; this field takes ${formatBytes(maxBytes)}.`
    return `${sizes} Choose a smaller one, or ask an owner to raise the limit.`
  }
  if (!mayFit({ accept }, file)) {
    return `“${file.name}” is of a type this field does not take. It takes ${acceptInWords(accept)}.`
  }
  return undefined
}
