import type { FilesOptions } from '../fields/field.ts'
import type { ProblemCode } from '../shared/problem.ts'
import { no, ok, type Result } from '../shared/result.ts'
import { canonicalType, type Evidence, endingOf, expectedType, settleType, UNKNOWN_TYPE } from './file-types.ts'
import { type DeclaredFile, DEFAULT_MAX_BYTES } from './upload.ts'

/** Why a file may not stand in a field. */
export type FileFault = {
  readonly code: Extract<ProblemCode, 'too-large' | 'file-type-refused'>
  readonly message: string
}

/** Most bytes a file of this field may have. */
export const maxBytesOf = ({ maxBytes }: FilesOptions): number => maxBytes ?? DEFAULT_MAX_BYTES

/** Judges a file by what its sender says, before its bytes: only what can never fit is refused. */
export function judgeDeclaredFile(options: FilesOptions, file: DeclaredFile): Result<true, FileFault> {
  if (file.bytes > maxBytesOf(options)) return no(tooLarge(file, maxBytesOf(options)))
  const type = expectedType(file.name, file.type)
  const isKnown = type !== '' && type !== UNKNOWN_TYPE
  const fits = !isKnown || accepted(options).some((entry) => fitsEntry(entry, type, endingOf(file.name)))
  return fits || accepted(options).length === 0 ? ok(true) : no(typeRefused(file.name, type, options))
}

/** Settles what a file is by its bytes and judges whether it may stand in a field; answers the type it is kept under. */
export function judgeArrivedFile(
  options: FilesOptions,
  file: DeclaredFile,
  evidence: Evidence,
): Result<string, FileFault> {
  if (file.bytes > maxBytesOf(options)) return no(tooLarge(file, maxBytesOf(options)))
  const type = settleType(evidence, file.name, file.type)
  // A recognised ending stands for the name's: a name can say anything.
  const ending = evidence.sniffed === null ? endingOf(file.name) : `.${evidence.sniffed.ending}`
  const fits = accepted(options).some((entry) => fitsEntry(entry, type, ending))
  return fits || accepted(options).length === 0 ? ok(type) : no(typeRefused(file.name, type, options))
}

const accepted = ({ accept = [] }: FilesOptions): readonly string[] => accept.filter((entry) => entry.trim() !== '')

/** Endings that are one and the same. */
const SAME_ENDINGS: { readonly [ending: string]: string } = { '.jpeg': '.jpg', '.tiff': '.tif', '.htm': '.html' }

const canonicalEnding = (ending: string): string => SAME_ENDINGS[ending] ?? ending

/** Whether a file fits one entry of `accept`: a type, a family such as `image/*`, or an ending such as `.csv`. */
function fitsEntry(said: string, type: string, ending: string): boolean {
  const entry = said.trim().toLowerCase()
  if (entry === '*' || entry === '*/*') return true
  if (entry.startsWith('.')) return canonicalEnding(entry) === canonicalEnding(ending)
  if (entry.endsWith('/*')) return type.startsWith(entry.slice(0, -1))
  return canonicalType(entry) === type
}

const tooLarge = ({ name, bytes }: DeclaredFile, maxBytes: number): FileFault => ({
  code: 'too-large',
  message: `“${name}” has ${inMegabytes(bytes)} MB and this field takes up to ${inMegabytes(maxBytes)} MB. Choose a smaller file, or ask an owner to raise the limit.`,
})

const typeRefused = (name: string, type: string, options: FilesOptions): FileFault => ({
  code: 'file-type-refused',
  message: `“${name}” is ${type === UNKNOWN_TYPE ? 'of an unknown type' : type}, and this field takes ${accepted(options).join(', ')}. Choose another file.`,
})

/** To three digits behind the point where it matters, so that two sizes that differ never read the same. */
const inMegabytes = (bytes: number): string =>
  (bytes / 1_000_000).toLocaleString('en', { maximumFractionDigits: bytes < 10_000_000 ? 6 : 3 })
