import { type Field, type FieldValue, hasSelectOptions, holdsList } from '#domain/fields/field.ts'
import { isEmptyValue, parseValue, printValue } from '#domain/fields/kinds.ts'
import { type KnownPerson, createPersonFinder } from '#domain/imports/find-person.ts'
import { parseList, printList } from '#domain/shared/list-text.ts'
import { type Result, fail, ok } from '#domain/shared/result.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { knownPeople } from '#server/access/people/routes.ts'

export type Conversion = { readonly old: Field; readonly target: Field; readonly people: readonly KnownPerson[] }

export async function conversionOf(reader: Reader, old: Field, target: Field): Promise<Conversion> {
  const isAboutPeople = old.kind === 'user' || target.kind === 'user'
  const people = isAboutPeople ? await knownPeople(reader) : []
  return { old, target, people: people.map((person) => ({ ...person, isChoosable: true })) }
}

export function convert(change: Conversion, value: FieldValue): FieldValue | undefined {
  const { old, target, people } = change
  const isPointer = old.kind === 'relation' || old.kind === 'user'
  const text = isPointer && old.kind === target.kind ? printValue(old, value) : textOf(change, value)
  const parsed =
    target.kind === 'user' && old.kind !== 'user' ? usersNamed(target, text, people) : parseValue(target, text)
  if (!parsed.ok) return undefined
  return isEmptyValue(parsed.value) && !isEmptyValue(value) ? undefined : parsed.value
}

export function textOf({ old, target, people }: Conversion, value: FieldValue): string {
  if (old.kind === 'user') {
    const names = (Array.isArray(value) ? value : [value]).map((id) => nameOfPerson(people, String(id)))
    return holdsList(old) || holdsList(target) ? printList(names) : (names[0] ?? '')
  }
  const text = printValue(old, value)
  return hasSelectOptions(old) && !holdsList(old) && holdsList(target) ? printList([text]) : text
}

const nameOfPerson = (people: readonly KnownPerson[], id: string): string =>
  people.find((person) => person.id === id)?.name ?? id

/** Resolves user names as imports do; values that refer to users who have left are kept. */
function usersNamed(target: Field<'user'>, text: string, people: readonly KnownPerson[]): Result<FieldValue, unknown> {
  const names = target.options.many ? parseList(text) : [text.trim()]
  const read = createPersonFinder(people)
  const ids: string[] = []
  for (const name of names) {
    const found = read(name)
    if (found.type !== 'one') return fail('unknown')
    ids.push(found.id)
  }
  return ok(target.options.many ? [...new Set(ids)] : (ids[0] ?? null))
}
