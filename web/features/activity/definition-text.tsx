import type { ReactNode } from 'react'
import type { ActivityPart, UndoneDefinition } from '#api/activity.ts'
import type { DefinitionChange } from '#domain/collections/definition-changes.ts'
import { FIELD_KINDS } from '#domain/fields/field.ts'
import { Say } from '#web/i18n/say.tsx'
import { t } from '#web/i18n/t.ts'
import { KIND_TRAITS } from '#web/shared/fields/kinds.ts'

type Changes = NonNullable<ActivityPart['changes']>
type Change = Changes[number]

/** Placeholders that `Say` replaces with elements. */
const TAGS = {
  name: '{name}',
  field: '{field}',
  before: '{before}',
  after: '{after}',
  where: '{where}',
}

const DONE: { readonly [What in DefinitionChange['what']]: string } = {
  'collection-renamed': t('{name} renamed the collection {before} to {after}', TAGS),
  'field-added': t('{name} added the field {field} to {where}', TAGS),
  'field-deleted': t('{name} deleted the field {field} of {where}', TAGS),
  'field-renamed': t('{name} renamed the field {before} to {after} in {where}', TAGS),
  'field-type': t('{name} changed the type of {field} from {before} to {after} in {where}', TAGS),
  'field-options': t('{name} changed the options of {field} in {where}', TAGS),
  'field-settings': t('{name} changed the settings of {field} in {where}', TAGS),
  'field-order': t('{name} reordered the fields of {where}', TAGS),
  rules: t('{name} changed the validation rules of {where}', TAGS),
  workflow: t('{name} changed the workflow of {where}', TAGS),
  'record-layout': t('{name} changed the record layout of {where}', TAGS),
  settings: t('{name} changed the settings of {where}', TAGS),
}

/** Changes listed per collection; the others are counted. */
const MAX_LISTED = 5

type DoneProps = {
  readonly changes: Changes
  readonly values: { readonly name: ReactNode; readonly where: ReactNode }
}

/** What was changed in a collection, one sentence each. */
export function DefinitionSentences({ changes, values }: DoneProps) {
  const rest = changes.length - MAX_LISTED
  return (
    <>
      {changes.slice(0, MAX_LISTED).map((change) => (
        <p key={JSON.stringify(change)} className="activity-part" dir="auto">
          <Say text={DONE[change.what]} values={{ ...values, ...namesIn(change) }} />
        </p>
      ))}
      {rest > 0 && <p className="activity-part">{t('{rest} more', { rest })}</p>}
    </>
  )
}

function namesIn({ what, field, before, after }: Change) {
  const shown = (value: string | null): ReactNode => (what === 'field-type' ? kindName(value) : <b>{value}</b>)
  return { field: <b>{field}</b>, before: shown(before), after: shown(after) }
}

function kindName(value: string | null): string {
  const kind = FIELD_KINDS.find((one) => one === value)
  return kind === undefined ? (value ?? '') : KIND_TRAITS[kind].label
}

const UNDOING: { readonly [What in DefinitionChange['what']]: (change: Names) => string } = {
  'collection-renamed': ({ after }) => t('The collection will be named {after} again.', { after }),
  'field-added': ({ field }) => t('The field {field} will be restored.', { field }),
  'field-deleted': ({ field }) => t('The field {field} will be moved to the trash.', { field }),
  'field-renamed': ({ before, after }) => t('The field {before} will be named {after} again.', { before, after }),
  'field-type': ({ field, after }) =>
    t('The type of {field} will be {after} again.', { field, after: kindName(after) }),
  'field-options': ({ field }) => t('The options of {field} will be set back.', { field }),
  'field-settings': ({ field }) => t('The settings of {field} will be set back.', { field }),
  'field-order': () => t('The fields will get their former order.'),
  rules: () => t('The validation rules will be set back.'),
  workflow: () => t('The workflow will be set back.'),
  'record-layout': () => t('The record layout will be set back.'),
  settings: () => t('The settings of the collection will be set back.'),
}

type Names = { readonly field: string; readonly before: string; readonly after: string }

/** What undoing will do to a collection, its fields, a view or a dashboard. */
export function undoingSentences({
  kind,
  label,
  view = '',
  dashboard = '',
  changes = [],
}: UndoneDefinition): readonly string[] {
  switch (kind) {
    case 'collection-deleted':
      return [t('The collection {label} will be moved to the trash with its records.', { label })]
    case 'collection-restored':
      return [t('The collection {label} will be restored with its records.', { label })]
    case 'collection-changed':
      return changes.map(({ what, field, before, after }) =>
        UNDOING[what]({ field: field ?? '', before: before ?? '', after: after ?? '' }),
      )
    case 'view-deleted':
      return [t('The view {view} will be deleted.', { view })]
    case 'view-restored':
      return [t('The view {view} will be restored.', { view })]
    case 'view-changed':
      return [t('The view {view} will be set back.', { view })]
    case 'dashboard-deleted':
      return [t('The dashboard {dashboard} will be deleted.', { dashboard })]
    case 'dashboard-restored':
      return [t('The dashboard {dashboard} will be restored.', { dashboard })]
    case 'dashboard-changed':
      return [t('The dashboard {dashboard} will be set back.', { dashboard })]
    case 'dashboard-shared':
      return [t('The dashboard {dashboard} will be shared again.', { dashboard })]
    case 'dashboard-unshared':
      return [t('The dashboard {dashboard} will be private again.', { dashboard })]
  }
}
