import { FILE_TYPE_GROUPS, type FileTypeGroup } from '#domain/uploads/file-type-groups.ts'

/** A list of accepted types as it is shown: presets, and what was written by hand. */
export type AcceptedTypesDraft = {
  /** Names of the presets that are ticked. */
  readonly ticked: readonly string[]
  /** Of those the ones that another ticked one holds anyway, as documents hold PDF. */
  readonly held: readonly string[]
  readonly own: readonly string[]
}

const isWithin = (types: readonly string[], others: readonly string[]): boolean =>
  types.every((type) => others.includes(type))

/** Takes a list apart. */
export function parseAcceptedTypes(accept: readonly string[]): AcceptedTypesDraft {
  const ticked = FILE_TYPE_GROUPS.filter((preset) => isWithin(preset.accept, accept))
  const isHeld = (preset: FileTypeGroup): boolean =>
    ticked.some((other) => other !== preset && isWithin(preset.accept, other.accept))
  const covered = new Set(ticked.flatMap((preset) => preset.accept))
  return {
    ticked: ticked.map(({ name }) => name),
    held: ticked.filter(isHeld).map(({ name }) => name),
    own: accept.filter((entry) => !covered.has(entry)),
  }
}

/** Puts it together again; nothing at all means any file. */
export function printAcceptedTypes({ ticked, own }: Pick<AcceptedTypesDraft, 'ticked' | 'own'>): readonly string[] {
  const types = FILE_TYPE_GROUPS.filter(({ name }) => ticked.includes(name)).flatMap(({ accept }) => accept)
  return [...new Set([...types, ...own])]
}
