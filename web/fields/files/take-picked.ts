import type { FilesOptions } from '#domain/fields/field.ts'
import type { PickedFile } from '#web/client/uploads/upload-job.ts'
import { plural, t } from '#web/language/t.ts'
import { refusalOf } from './judge-file.ts'

/** Which of the picked files are sent, and why the others are not, in few sentences. */
export type Taken = { readonly taken: readonly PickedFile[]; readonly refusal: string | undefined }

/** More sentences than this nobody reads. */
const MOST_SENTENCES = 3

/** Takes what a field takes, as far as there is room: `room` more files. */
export function takePicked(picked: readonly PickedFile[], options: FilesOptions, room: number): Taken {
  const judged = picked.map((each) => ({ each, refusal: refusalOf(each.file, options) }))
  const fitting = judged.flatMap(({ each, refusal }) => (refusal === undefined ? each : []))
  const refusals = judged.flatMap(({ refusal }) => refusal ?? [])
  const taken = fitting.slice(0, Math.max(0, room))
  const left = fitting.length - taken.length
  const more = refusals.length - MOST_SENTENCES
  const sentences = [
    ...refusals.slice(0, MOST_SENTENCES),
    ...(more > 0 ? [t('{more} more were not taken for such reasons.', { more })] : []),
    ...(left > 0 ? [tooManyText(options.max ?? 0, left)] : []),
  ]
  return { taken, refusal: sentences.length === 0 ? undefined : sentences.join(' ') }
}

const tooManyText = (max: number, left: number): string =>
  [
    plural(max, 'This field takes one file.', 'This field takes {n} files.'),
    plural(left, 'One was not added; remove one first.', '{n} were not added; remove some first.'),
  ].join(' ')
