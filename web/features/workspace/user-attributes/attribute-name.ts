import { foldText } from '#domain/shared/text.ts'

/** The server's limit for names after `@me.`. */
const MAX_LENGTH = 60

/** The name used in conditions, made unique. */
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
