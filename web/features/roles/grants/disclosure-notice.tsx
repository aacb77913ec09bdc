import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { GrantInput } from '#api/roles.ts'
import { type Disclosure, type DisclosureKind, disclosuresOf } from '#domain/access/disclosures.ts'
import type { Grant } from '#domain/access/grant.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import { formulaById } from '#domain/formulas/formula-fields.ts'
import { filterById } from '#domain/query/filter/saved-filter.ts'
import { grantOf, MATRIX_ACTIONS } from '#web/features/roles/matrix/matrix.ts'
import { t } from '#web/i18n/t.ts'
import { definitionOf } from '#web/shared/conditions/path-fields.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { useKnownCollections } from './use-grant-labels.ts'

/** Explains what users can infer about hidden values, where they can do so, and how to prevent it. */
type DisclosureText = {
  readonly key: string
  readonly collection: string
  readonly learned: string
  readonly remedy: string
}

export function describeDisclosures(
  grants: readonly GrantInput[],
  known: readonly TypedCollection[],
): readonly DisclosureText[] {
  const collections = known.map(definitionWithRules)
  const found = disclosuresOf(
    grants.map((grant) => grantById(grant, collections)),
    collections,
  )
  // Disclosures specific to this policy come first.
  const ordered = [...found.filter(({ kind }) => kind !== 'version'), ...found.filter(({ kind }) => kind === 'version')]
  return ordered.flatMap((disclosure) => {
    const collection = collections.find(({ id }) => id === disclosure.collection)
    if (!collection) return []
    const { kind, by } = disclosure
    return {
      key: `${collection.id} ${kind} ${by}`,
      collection: collection.label,
      ...describeDisclosure(disclosure, collection),
    }
  })
}

function definitionWithRules(known: TypedCollection): Collection {
  const { rules, workflow } = known
  const transitions = workflow?.transitions.map(({ roles = [], when = null, ...rest }) => ({ ...rest, roles, when }))
  // Formulas are shown with names, and the fields that they disclose are found by ID.
  const fields = known.fields.map((field): Field => {
    const { defaultFormula } = field
    if (defaultFormula !== undefined) return { ...field, defaultFormula: formulaById(defaultFormula, known) }
    return field.kind === 'formula'
      ? { ...field, options: { ...field.options, formula: formulaById(field.options.formula, known) } }
      : field
  })
  return {
    ...definitionOf({ ...known, fields }),
    ...(rules && { rules }),
    ...(workflow && transitions && { workflow: { ...workflow, transitions } }),
  }
}

/** Converts a draft's condition from names to IDs. */
function grantById(input: GrantInput, collections: readonly Collection[]): Grant {
  const { where, collection: id } = input
  const collection = collections.find((each) => each.id === id)
  const world = collection && {
    collection,
    collectionOf: (other: string) => collections.find((one) => one.id === other),
  }
  const tree = typeof where === 'string' ? null : (where ?? null)
  return grantOf({
    id: '',
    permission: input.permission,
    collection: id,
    where: tree && world ? filterById(tree, world) : tree,
    fields: input.fields ?? null,
    presets: null,
  })
}

type DisclosureSentences = Pick<DisclosureText, 'learned' | 'remedy'>

type Names = Readonly<Record<'field' | 'rule' | 'transition' | 'permission', string>>

function describeDisclosure({ kind, by }: Disclosure, { fields, rules, workflow }: Collection): DisclosureSentences {
  return WORDS[kind]({
    field: fields.find(({ id }) => id === by)?.label ?? '',
    rule: rules?.find(({ id }) => id === by)?.message ?? '',
    transition: workflow?.transitions.find(({ id }) => id === by)?.name ?? '',
    permission: permissionHead(by),
  })
}

const WORDS: Readonly<Record<DisclosureKind, (names: Names) => DisclosureSentences>> = {
  unique: ({ field }) => ({
    learned: t('Whether a value of “{field}” is already used, even in a record they can’t see.', { field }),
    remedy: t('Let them see “{field}” in all records, or remove their permission to enter and edit it.', { field }),
  }),
  'auto-number': ({ field }) => ({
    learned: t('How many records have been created, based on the “{field}” of a new record.', { field }),
    remedy: t('Let them view all records, or don’t let them create any.'),
  }),
  formula: ({ field }) => ({
    learned: t('Hidden values from which “{field}” is calculated.', { field }),
    remedy: t('Let them see all fields that the formula uses, or hide “{field}”.', { field }),
  }),
  rollup: ({ field }) => ({
    learned: t('Hidden values of linked records that “{field}” shows or summarizes.', { field }),
    remedy: t('Let them see all records and fields that it uses, or hide “{field}”.', { field }),
  }),
  required: ({ field }) => ({
    learned: t('That “{field}” is required, and whether it is empty.', { field }),
    remedy: t('Let them see “{field}”, or don’t require it.', { field }),
  }),
  rule: ({ rule }) => ({
    learned: t('Whether hidden values pass the validation rule “{rule}”', {
      rule,
    }),
    remedy: t('Let them see all fields and records the rule uses, or change the rule.'),
  }),
  condition: ({ permission }) => ({
    learned: t('Whether hidden values match the condition of “{permission}”.', { permission }),
    remedy: t('In the condition, use only fields and records they can see.'),
  }),
  'unseen-record': ({ permission }) => ({
    learned: t('Whether records they can’t view exist, because “{permission}” applies to more records than “View”.', {
      permission,
    }),
    remedy: t('Limit “{permission}” to the records they can see.', { permission }),
  }),
  transition: ({ transition }) => ({
    learned: t('Whether hidden values match the condition of the transition “{transition}”.', {
      transition,
    }),
    remedy: t('Let them see all fields and records the condition uses, or don’t let them change the status.'),
  }),
  status: ({ field }) => ({
    learned: t('A record’s “{field}”, based on its available transitions and locked fields.', { field }),
    remedy: t(
      'Let them see “{field}” in all records, or remove their permission to edit records and change their status.',
      {
        field,
      },
    ),
  }),
  'collection-name': () => ({
    learned: t('Whether a collection name is already used, even by a collection they can’t see.'),
    remedy: t('Let them see all collections, or don’t let them manage this one.'),
  }),
  version: () => ({
    learned: t('When and how often hidden values change in a record.'),
    remedy: t('To prevent this, move these values to a separate collection.'),
  }),
}

const permissionHead = (permission: string): string =>
  MATRIX_ACTIONS.find((doing) => doing.permission === permission)?.head ?? permission

/** Number of disclosures shown initially. */
const SHOWN = 4

const NONE: readonly GrantInput[] = []

type DisclosureNoticeProps = {
  readonly title: string
  readonly grants: readonly GrantInput[]
  /** Grants whose disclosures are omitted, because they are already shown. */
  readonly except?: readonly GrantInput[]
}

/** Renders nothing if no hidden values can be inferred. */
export function DisclosureNotice({ title, grants, except = NONE }: DisclosureNoticeProps) {
  const [isWhole, setWhole] = useState(false)
  const collections = useKnownCollections()
  const lines = useMemo(() => {
    const known = new Set(describeDisclosures(except, collections).map(({ key }) => key))
    return describeDisclosures(grants, collections).filter(({ key }) => !known.has(key))
  }, [grants, except, collections])
  if (lines.length === 0) return null
  return (
    <Notice
      title={title}
      detail={
        <ul className="disclosures">
          {(isWhole ? lines : lines.slice(0, SHOWN)).map(({ key, collection, learned, remedy }) => (
            <li key={key}>
              <strong>{collection}</strong> {learned}
              <p className="grant-hint">{remedy}</p>
            </li>
          ))}
        </ul>
      }
      actions={
        lines.length > SHOWN &&
        !isWhole && (
          <Button size="xs" onClick={() => setWhole(true)}>
            {t('Show all {n}', { n: lines.length })}
          </Button>
        )
      }
    />
  )
}
