import { foldText } from '#domain/shared/text.ts'

/** Longest name that can stand behind `@me.` */
const MAX_LENGTH = 60

/** The name that conditions know something by, from what people call it; of those taken already, the next one free. */
export function attributeName(label: string, taken: readonly string[]): string {
  const folded = foldText(label)
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_0-9]+|_+$/g, '')
    .slice(0, MAX_LENGTH - 3)
  const wanted = folded === '' ? 'note' : folded
  let name = wanted
  for (let count = 2; taken.includes(name); count += 1) name = `${wanted}_${count}`
  return name
}
