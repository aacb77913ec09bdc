import { type BuiltInRole, FIRST_POLICIES, FIRST_ROLES } from '#domain/access/built-in-roles.ts'
import { t } from '#web/language/t.ts'

type Words = { readonly name: string; readonly about: string }

/** The roles every workspace begins with, in the language of the page. */
export const ROLE_WORDS: { readonly [Id in BuiltInRole]: Words } = {
  owner: { name: t('Owner'), about: t('May do everything, people and settings included') },
  editor: { name: t('Editor'), about: t('Sees, adds, changes, deletes and exports records') },
  contributor: { name: t('Contributor'), about: t('Adds records, and works with their own alone') },
  viewer: { name: t('Viewer'), about: t('Sees records, and changes nothing') },
}

/** The policies every workspace begins with. */
export const POLICY_WORDS: { readonly [Id in Exclude<BuiltInRole, 'owner'>]: Words } = {
  editor: {
    name: t('Work with all records'),
    about: t('See, add, change, move, delete and export the records of every collection.'),
  },
  contributor: {
    name: t('Work with one’s own records'),
    about: t('Add records in every collection, and see, change, move and delete those one has added.'),
  },
  viewer: { name: t('See all records'), about: t('See the records of every collection.') },
}

const pairs = (words: { readonly [id: string]: Words }) => (first: Words & { readonly id: string }) => {
  const { name, about } = words[first.id] ?? first
  return [[first.name, name] as const, [first.about, about] as const]
}

/** What is stored of them, which is English, and how the page says it. */
export const RULE_WORDS: ReadonlyMap<string, string> = new Map([
  ...FIRST_ROLES.flatMap(pairs(ROLE_WORDS)),
  ...FIRST_POLICIES.flatMap(pairs(POLICY_WORDS)),
])

type Rule = { readonly id: string; readonly name: string; readonly about?: string }

/** A role or a policy as people read it: what nobody has named otherwise is said in their language. */
export function ruleInWords<One extends Rule>(rule: One): One {
  if (!Object.hasOwn(ROLE_WORDS, rule.id)) return rule
  const { name, about } = rule
  return {
    ...rule,
    name: RULE_WORDS.get(name) ?? name,
    ...(about !== undefined && { about: RULE_WORDS.get(about) ?? about }),
  }
}
