import type { FilesOptions } from '#domain/fields/field.ts'
import type { SelectedFile } from '#web/data/uploads/upload-types.ts'
import { plural, t } from '#web/i18n/t.ts'
import { fileError } from './validate-file.ts'

/** Which of the picked files are sent, and why the others are not, in few sentences. */
export type AcceptedFiles = { readonly taken: readonly SelectedFile[]; readonly refusal: string | undefined }

/** More sentences than this nobody reads. */
const MAX_MESSAGES = 3

/** Takes what a field takes, as far as there is room: `room` more files. */
export function acceptFiles(picked: readonly SelectedFile[], options: FilesOptions, room: number): AcceptedFiles {
  const judged = picked.map((each) => ({ each, refusal: fileError(each.file, options) }))
  const fitting = judged.flatMap(({ each, refusal }) => (refusal === undefined ? each : []))
  const refusals = judged.flatMap(({ refusal }) => refusal ?? [])
  const taken = fitting.slice(0, Math.max(0, room))
  const left = fitting.length - taken.length
  const more = refusals.length - MAX_MESSAGES
  const sentences = [
    ...refusals.slice(0, MAX_MESSAGES),
    ...(more > 0 ? [t('{more} more weren’t added for similar reasons.', { more })] : []),
    ...(left > 0 ? [describeTooMany(options.max ?? 0, left)] : []),
  ]
  return { taken, refusal: sentences.length === 0 ? undefined : sentences.join(' ') }
}

const describeTooMany = (max: number, left: number): string =>
  [
    plural(max, 'This field allows only one file.', 'This field allows up to {n} files.'),
    plural(left, 'One file wasn’t added. Remove a file first.', '{n} files weren’t added. Remove some files first.'),
  ].join(' ')
