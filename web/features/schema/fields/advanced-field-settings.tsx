import { Checkbox, TextInput } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { canCalculateDefault } from '#domain/fields/kinds.ts'
import type { DefaultFormulaProps } from '#web/field-kinds/formula/options.tsx'
import { FieldInput } from '#web/field-kinds/field-input.tsx'
import { lazyComponent } from '#web/ui/loading/lazy-module.tsx'
import { t } from '#web/i18n/t.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { canBeRequired, canChooseUnique, canHaveDefault, type FieldDraft, fieldOfDraft } from './field-draft.ts'

type SettingProps = {
  readonly draft: FieldDraft
  readonly change: (part: Partial<FieldDraft>) => void
  readonly errorAt: (path: string) => string | undefined
}

type AdvancedFieldSettingsProps = SettingProps & {
  readonly collection: TypedCollection
  readonly stored: Field | undefined
  readonly children?: ReactNode
}

const DefaultFormula = lazyComponent<'DefaultFormula', DefaultFormulaProps>(
  () => import('#web/field-kinds/formula/options.tsx'),
  'DefaultFormula',
)

/** Paths of these settings in validation errors. */
const PARTS = ['required', 'unique', 'default', 'defaultFormula', 'name']
const OPTIONS = ['options.min', 'options.max', 'options.pattern']

export function AdvancedFieldSettings(props: AdvancedFieldSettingsProps) {
  const { draft, change, errorAt, collection, stored, children } = props
  const { kind } = draft
  const parts = children ? [...PARTS, ...OPTIONS] : PARTS
  const isAtFault = parts.some((part) => errorAt(part) !== undefined)
  return (
    <details className="field-advanced" open={isAtFault || undefined}>
      <summary>{t('Advanced')}</summary>
      <div>
        {canBeRequired(kind) && (
          <WithHelp setting="field-required" isDescribed>
            <Checkbox
              label={t('Required')}
              description={t('Records can’t be saved without a value')}
              checked={draft.required}
              onChange={({ currentTarget }) => change({ required: currentTarget.checked })}
              error={errorAt('required')}
            />
          </WithHelp>
        )}
        {kind !== 'relation' && <UniqueSetting draft={draft} change={change} errorAt={errorAt} />}
        {children}
        {canHaveDefault(kind) && <DefaultSetting {...{ draft, change, errorAt, collection, stored }} />}
        <WithHelp setting="field-name" isDescribed>
          <TextInput
            label={t('API name')}
            description={t('Used in filters and the API. Generated from the name if empty')}
            spellCheck={false}
            autoCapitalize="off"
            className="code-input"
            value={draft.name}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
            error={errorAt('name')}
          />
        </WithHelp>
      </div>
    </details>
  )
}

/** A constant, or a formula of the values with which a record is created. */
function DefaultSetting({ draft, change, errorAt, collection, stored }: Omit<AdvancedFieldSettingsProps, 'children'>) {
  const { kind, defaultFormula } = draft
  return (
    <>
      {defaultFormula === null ? (
        <WithHelp setting="field-default" isDescribed>
          <FieldInput
            key={kind}
            field={fieldOfDraft(draft)}
            label={t('Default value')}
            value={draft.default}
            onChange={(value) => change({ default: value })}
            error={errorAt('default')}
            place={{ collection: collection.name }}
          />
        </WithHelp>
      ) : (
        <Suspense fallback={null}>
          <DefaultFormula
            collection={collection}
            field={{ ...fieldOfDraft(draft), id: stored?.id ?? '' }}
            value={defaultFormula}
            onChange={(formula) => change({ defaultFormula: formula })}
            error={errorAt('defaultFormula')}
          />
        </Suspense>
      )}
      {canCalculateDefault(kind) && (
        <WithHelp setting="field-default-formula" isDescribed>
          <Checkbox
            label={t('Calculate the default value')}
            description={t('With a formula, from the values with which a record is created')}
            checked={defaultFormula !== null}
            onChange={({ currentTarget }) =>
              change({ defaultFormula: currentTarget.checked ? (stored?.defaultFormula ?? '') : null, default: null })
            }
          />
        </WithHelp>
      )}
    </>
  )
}

export function UniqueSetting({ draft, change, errorAt }: SettingProps) {
  if (!canChooseUnique(draft)) return null
  const isRelation = draft.kind === 'relation'
  return (
    <WithHelp setting={isRelation ? 'field-linked-once' : 'field-unique'} isDescribed>
      <Checkbox
        label={isRelation ? t('Each record can be linked only once') : t('Unique')}
        description={
          isRelation ? t('No two records can link to the same record') : t('No two records can have the same value')
        }
        checked={draft.unique}
        onChange={({ currentTarget }) => change({ unique: currentTarget.checked })}
        error={errorAt('unique')}
      />
    </WithHelp>
  )
}
