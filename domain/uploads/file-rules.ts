import type { FilesOptions } from '../fields/field.ts'
import type { ProblemCode } from '../shared/problem.ts'
import { fail, ok, type Result } from '../shared/result.ts'
import {
  canonicalType,
  type Evidence,
  endingOf,
  expectedType,
  possibleTypes,
  settleType,
  sniffedEnding,
  UNKNOWN_TYPE,
} from './file-types.ts'
import { inMegabytes } from './quota.ts'
import { describeAccept } from './file-type-groups.ts'
import { type DeclaredFile, DEFAULT_MAX_BYTES } from './upload.ts'

/** Why a file may not stand in a field. */
export type FileFault = {
  readonly code: Extract<ProblemCode, 'too-large' | 'file-type-refused'>
  readonly message: string
}

/** Most bytes a file of this field may have. */
export const maxBytesOf = ({ maxBytes }: FilesOptions): number => maxBytes ?? DEFAULT_MAX_BYTES

/** Judges a file by what its sender says, before its bytes: only what can never fit is refused. */
export function checkDeclaredFile(options: FilesOptions, file: DeclaredFile): Result<true, FileFault> {
  if (file.bytes > maxBytesOf(options)) return fail(tooLarge(file, maxBytesOf(options)))
  if (couldBeAccepted(options, file)) return ok(true)
  return fail(typeNotAccepted(file.name, expectedType(file.name, file.type), options))
}

/** Whether a file may be of an accepted type, by its name and what its sender says; its bytes have the last word. */
export function couldBeAccepted(options: FilesOptions, file: Pick<DeclaredFile, 'name' | 'type'>): boolean {
  const type = expectedType(file.name, file.type)
  const isKnown = type !== '' && type !== UNKNOWN_TYPE
  const types = accepted(options)
  return !isKnown || types.length === 0 || types.some((entry) => fitsEntry(entry, type, endingOf(file.name)))
}

/** Settles what a file is by its bytes and judges whether it may stand in a field; answers the type it is kept under. */
export function checkArrivedFile(
  options: FilesOptions,
  file: DeclaredFile,
  evidence: Evidence,
): Result<string, FileFault> {
  if (file.bytes > maxBytesOf(options)) return fail(tooLarge(file, maxBytesOf(options)))
  const type = settleType(evidence, file.name, file.type)
  // A recognised ending stands for the name's: a name can say anything.
  const ending = sniffedEnding(evidence) ?? endingOf(file.name)
  const fits = accepted(options).some((entry) => fitsEntry(entry, type, ending))
  return fits || accepted(options).length === 0 ? ok(type) : fail(typeNotAccepted(file.name, type, options))
}

/**
 * Judges a file by its beginning, while the rest is still on its way: what can no more become something the field takes
 * is refused. Answers the type it seems to be; only all of its bytes settle it.
 */
export function checkFirstBytes(
  options: FilesOptions,
  file: DeclaredFile,
  evidence: Evidence,
): Result<string, FileFault> {
  const checked = checkArrivedFile(options, file, evidence)
  if (checked.ok || checked.fault.code !== 'file-type-refused') return checked
  const families = possibleTypes(evidence)
  const isOpen = accepted(options).some((entry) =>
    families.some((family) => mayBeIn(family, entry.trim().toLowerCase())),
  )
  return isOpen ? ok(settleType(evidence, file.name, file.type)) : checked
}

/** Whether some type of a family, such as `image/`, may fit an entry of `accept`. */
const mayBeIn = (family: string, entry: string): boolean =>
  entry.startsWith('.') || canonicalType(entry).startsWith(family) || family.startsWith(entry.replace(/\*$/, ''))

/** A finished file, as it is kept. `ending`: as its bytes told, with its point. */
export type StoredFile = DeclaredFile & { readonly ending: string | null }

/** Judges a finished file when a record takes it: the field's rules may have changed since it came. */
export function checkStoredFile(options: FilesOptions, file: StoredFile): Result<true, FileFault> {
  if (file.bytes > maxBytesOf(options)) return fail(tooLarge(file, maxBytesOf(options)))
  const ending = file.ending ?? endingOf(file.name)
  const fits = accepted(options).some((entry) => fitsEntry(entry, file.type, ending))
  return fits || accepted(options).length === 0 ? ok(true) : fail(typeNotAccepted(file.name, file.type, options))
}

const accepted = ({ accept = [] }: FilesOptions): readonly string[] => accept.filter((entry) => entry.trim() !== '')

/** Endings that are one and the same. */
const SAME_ENDINGS: { readonly [ending: string]: string } = { '.jpeg': '.jpg', '.tiff': '.tif', '.htm': '.html' }

const canonicalEnding = (ending: string): string => SAME_ENDINGS[ending] ?? ending

/** Whether a file fits one entry of `accept`: a type, a family such as `image/*`, or an ending such as `.csv`. */
function fitsEntry(written: string, type: string, ending: string): boolean {
  const entry = written.trim().toLowerCase()
  if (entry === '*' || entry === '*/*') return true
  if (entry.startsWith('.')) return canonicalEnding(entry) === canonicalEnding(ending)
  if (entry.endsWith('/*')) return type.startsWith(entry.slice(0, -1))
  return canonicalType(entry) === type
}

const tooLarge = ({ name, bytes }: DeclaredFile, maxBytes: number): FileFault => ({
  code: 'too-large',
  message: `“${name}” is ${inMegabytes(bytes)} MB, but this field allows up to ${inMegabytes(maxBytes)} MB. Choose a smaller file, or ask an owner to raise the limit.`,
})

const typeNotAccepted = (name: string, type: string, options: FilesOptions): FileFault => ({
  code: 'file-type-refused',
  message: `“${name}” is ${type === UNKNOWN_TYPE ? 'of an unknown type' : type}, but this field accepts only ${describeAccept(accepted(options))}. Choose another file.`,
})
