import { isId } from '../fields/relation.ts'
import { foldText } from '../shared/text.ts'
import type { UserId } from '../shared/ids.ts'

/** A user that a text may name. */
export type KnownPerson = {
  readonly id: UserId
  readonly name: string
  /** The email as `foldText` folds it. */
  readonly emailFold: string
  /** Whether the user can be selected; a shared name is ambiguous either way. */
  readonly isSelectable: boolean
}

/** The user a text refers to. */
export type FoundPerson = { readonly type: 'one'; readonly id: UserId } | { readonly type: 'none' | 'several' }

const NONE: FoundPerson = { type: 'none' }

const EMAIL_FORM = /\S@\S/

/** Whether a text contains an email address, such as `Ann <ann@example.org>`. */
export const hasEmail = (text: string): boolean => EMAIL_FORM.test(foldText(text))

/**
 * Resolves texts to users: by id, then by email, then by a unique display name. Users choose their display names, so a
 * text in the form of an id or with an email address is never taken as a name.
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
