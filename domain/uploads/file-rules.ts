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

type FileLimits = { readonly accept?: readonly string[]; readonly maxBytes?: number }

export type FileFault = {
  readonly code: Extract<ProblemCode, 'too-large' | 'file-type-refused'>
  readonly message: string
}

export const maxBytesOf = ({ maxBytes }: FileLimits): number => maxBytes ?? DEFAULT_MAX_BYTES

/** Checks a declared file before its content is uploaded; rejects only files that can never be accepted. */
export function checkDeclaredFile(options: FileLimits, file: DeclaredFile): Result<true, FileFault> {
  if (file.bytes > maxBytesOf(options)) return fail(tooLarge(file, maxBytesOf(options)))
  if (couldBeAccepted(options, file)) return ok(true)
  return fail(typeNotAccepted(file.name, expectedType(file.name, file.type), options))
}

/** Whether a file with this name and declared type could be accepted; the content is checked later. */
export function couldBeAccepted(options: FileLimits, file: Pick<DeclaredFile, 'name' | 'type'>): boolean {
  const type = expectedType(file.name, file.type)
  const isKnown = type !== '' && type !== UNKNOWN_TYPE
  const types = accepted(options)
  return !isKnown || types.length === 0 || types.some((entry) => fitsEntry(entry, type, endingOf(file.name)))
}

/** Detects and validates the type from the content; returns the type to store. */
export function checkArrivedFile(
  options: FileLimits,
  file: DeclaredFile,
  evidence: Evidence,
): Result<string, FileFault> {
  if (file.bytes > maxBytesOf(options)) return fail(tooLarge(file, maxBytesOf(options)))
  const type = settleType(evidence, file.name, file.type)
  // The detected extension overrides the extension in the file name, which is untrusted.
  const ending = sniffedEnding(evidence) ?? endingOf(file.name)
  const fits = accepted(options).some((entry) => fitsEntry(entry, type, ending))
  return fits || accepted(options).length === 0 ? ok(type) : fail(typeNotAccepted(file.name, type, options))
}

/** Checks the first bytes during an upload and returns the likely type. */
export function checkFirstBytes(
  options: FileLimits,
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

/** Whether a type in a family, such as `image/`, could match an entry. */
const mayBeIn = (family: string, entry: string): boolean =>
  entry.startsWith('.') || canonicalType(entry).startsWith(family) || family.startsWith(entry.replace(/\*$/, ''))

export type StoredFile = DeclaredFile & { readonly ending: string | null }

/** Checks a stored file again when it is attached to a record, because the rules may have changed. */
export function checkStoredFile(options: FileLimits, file: StoredFile): Result<true, FileFault> {
  if (file.bytes > maxBytesOf(options)) return fail(tooLarge(file, maxBytesOf(options)))
  const ending = file.ending ?? endingOf(file.name)
  const fits = accepted(options).some((entry) => fitsEntry(entry, file.type, ending))
  return fits || accepted(options).length === 0 ? ok(true) : fail(typeNotAccepted(file.name, file.type, options))
}

const accepted = ({ accept = [] }: FileLimits): readonly string[] => accept.filter((entry) => entry.trim() !== '')

const SAME_ENDINGS: { readonly [ending: string]: string } = { '.jpeg': '.jpg', '.tiff': '.tif', '.htm': '.html' }

const canonicalEnding = (ending: string): string => SAME_ENDINGS[ending] ?? ending

/** Entries are types, families such as `image/*`, or extensions such as `.csv`. */
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

const typeNotAccepted = (name: string, type: string, options: FileLimits): FileFault => ({
  code: 'file-type-refused',
  message: `“${name}” is ${type === UNKNOWN_TYPE ? 'of an unknown type' : type}, but this field accepts only ${describeAccept(accepted(options))}. Choose another file.`,
})
