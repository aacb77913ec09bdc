import { type BuiltInRole, FIRST_POLICIES, FIRST_ROLES } from '#domain/access/built-in-roles.ts'
import { t } from '#web/i18n/t.ts'

type Words = { readonly name: string; readonly about: string }

export const ROLE_TEXTS: { readonly [Id in BuiltInRole]: Words } = {
  owner: { name: t('Owner'), about: t('Full access, including users and settings') },
  editor: { name: t('Editor'), about: t('Views, creates, edits, deletes and exports records') },
  contributor: { name: t('Contributor'), about: t('Creates records and edits only their own') },
  viewer: { name: t('Viewer'), about: t('Views records without editing them') },
}

export const POLICY_TEXTS: { readonly [Id in Exclude<BuiltInRole, 'owner'>]: Words } = {
  editor: {
    name: t('Edit all records'),
    about: t('View, create, edit, delete and export the records of every collection, and change their status.'),
  },
  contributor: {
    name: t('Edit own records'),
    about: t(
      'Create records in every collection; view, edit and delete the ones they created, and change their status.',
    ),
  },
  viewer: { name: t('View all records'), about: t('View the records of every collection.') },
}

const pairs = (words: { readonly [id: string]: Words }) => (first: Words & { readonly id: string }) => {
  const { name, about } = words[first.id] ?? first
  return [[first.name, name] as const, [first.about, about] as const]
}

/** Maps the stored English texts to their translations. */
export const BUILT_IN_TEXTS: ReadonlyMap<string, string> = new Map([
  ...FIRST_ROLES.flatMap(pairs(ROLE_TEXTS)),
  ...FIRST_POLICIES.flatMap(pairs(POLICY_TEXTS)),
])

type Rule = { readonly id: string; readonly name: string; readonly about?: string }

/** Translates the names and descriptions of built-in roles and policies unless they were renamed. */
export function builtInText<One extends Rule>(rule: One): One {
  if (!Object.hasOwn(ROLE_TEXTS, rule.id)) return rule
  const { name, about } = rule
  return {
    ...rule,
    name: BUILT_IN_TEXTS.get(name) ?? name,
    ...(about !== undefined && { about: BUILT_IN_TEXTS.get(about) ?? about }),
  }
}
