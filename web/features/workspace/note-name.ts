import { foldText } from '#domain/shared/fold-text.ts'

/** Longest name that can stand behind `@me.` */
const MOST_CHARACTERS = 60

/** The name that conditions know something by, from what people call it; of those taken already, the next one free. */
export function noteName(label: string, taken: readonly string[]): string {
  const folded = foldText(label)
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_0-9]+|_+$/g, '')
    .slice(0, MOST_CHARACTERS - 3)
  const wanted = folded === '' ? 'note' : folded
  let name = wanted
  for (let count = 2; taken.includes(name); count += 1) name = `${wanted}_${count}`
  return name
}
