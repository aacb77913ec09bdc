import { isId } from '../fields/relation.ts'
import { foldText } from '../shared/text.ts'
import type { UserId } from '../shared/ids.ts'

export type KnownPerson = {
  readonly id: UserId
  readonly name: string
  readonly emailFold: string
  /** Whether the user can be selected. Users who can't be selected still make a shared name ambiguous. */
  readonly isSelectable: boolean
}

export type FoundPerson = { readonly type: 'one'; readonly id: UserId } | { readonly type: 'none' | 'several' }

const NONE: FoundPerson = { type: 'none' }

const EMAIL_FORM = /\S@\S/

/** Also accepts `Ann <ann@example.org>`. */
export const hasEmail = (text: string): boolean => EMAIL_FORM.test(foldText(text))

/**
 * Finds users by ID, then email, then unique display name. Users choose their display names, so text that looks like an
 * ID or contains an email is never treated as a name.
 */
export function createPersonFinder(people: readonly KnownPerson[]): (text: string) => FoundPerson {
  const byId = new Map(people.map((person) => [person.id, person]))
  const byEmail = new Map(people.map((person) => [person.emailFold, person]))
  const byName = Map.groupBy(people, ({ name }) => foldText(name))
  return (text) => {
    const trimmed = text.trim()
    if (isId(trimmed)) return asResult(byId.get(trimmed))
    if (hasEmail(trimmed)) return asResult(byEmail.get(foldText(trimmed)))
    const [only, ...others] = byName.get(foldText(trimmed)) ?? []
    return others.length > 0 ? { type: 'several' } : asResult(only)
  }
}

const asResult = (person: KnownPerson | undefined): FoundPerson =>
  person?.isSelectable === true ? { type: 'one', id: person.id } : NONE
