import { ActionIcon, Menu, NativeSelect, UnstyledButton } from '@mantine/core'
import { useId, useMemo } from 'react'
import { OPTION_COLORS, type OptionColor } from '#domain/fields/field.ts'
import { parseFilter } from '#domain/query/filter/parse-filter.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import { LazyConditionBuilder } from '#web/shared/conditions/builder/lazy-condition-builder.tsx'
import { useFindCollection } from '#web/shared/conditions/describe-condition.ts'
import { colorName } from '#web/shared/formatting/color-names.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { Reorder } from '#web/shared/reorder/use-reorder.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { IconChevronDown, IconGripVertical } from '#web/ui/icons/frame.ts'
import { IconX } from '#web/ui/icons/general.ts'
import { optionColors } from '#web/ui/theme/colors/colors.ts'
import { t } from '#web/i18n/t.ts'
import type { ColorRule } from '#web/views/listing/list-settings.ts'
import { recordColumns } from '#web/views/grid/record-columns.tsx'
import { colorRuleError } from '#web/views/listing/conditional-colors/conditional-colors.ts'

type ColorRuleRowProps = {
  readonly collection: TypedCollection
  readonly rule: ColorRule
  readonly words: string
  /** Counted from 1. */
  readonly place: number
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
  readonly itemProps: ReturnType<Reorder<unknown>['itemProps']>
  readonly handleProps: ReturnType<Reorder<unknown>['handleProps']>
  readonly onChange: (rule: ColorRule) => void
  readonly onRemove: () => void
}

export function ColorRuleRow(props: ColorRuleRowProps) {
  const { rule, words, place, isOpen, onOpen, onChange, onRemove } = props
  const details = useId()
  return (
    <li {...props.itemProps} className="colour-rule">
      <div className="colour-rule-head">
        <button {...props.handleProps}>
          <IconGripVertical size={16} stroke={1.5} aria-hidden />
        </button>
        <ColorMenu place={place} color={rule.color} onColor={(color) => onChange({ ...rule, color })} />
        <UnstyledButton
          className="colour-rule-words"
          aria-expanded={isOpen}
          aria-controls={details}
          onClick={() => onOpen(!isOpen)}
        >
          <span>{words}</span>
          <IconChevronDown size={14} stroke={1.75} aria-hidden />
        </UnstyledButton>
        <ActionIcon aria-label={t('Remove rule {words}', { words })} onClick={onRemove}>
          <IconX size={16} stroke={1.5} />
        </ActionIcon>
      </div>
      <div id={details} hidden={!isOpen} className="colour-rule-details">
        {isOpen && <RuleDetails {...props} />}
      </div>
    </li>
  )
}

function RuleDetails({ collection, rule, place, onChange }: ColorRuleRowProps) {
  const findCollection = useFindCollection()
  const columns = useMemo(() => recordColumns(collection, undefined), [collection])
  const parsed = rule.filter === '' ? undefined : parseFilter(rule.filter)
  const world = { collection, findCollection, userId: null, now: new Date() }
  const fault = rule.filter === '' ? undefined : colorRuleError(rule.filter, world)
  return (
    <>
      <WithHelp setting="colour-what">
        <NativeSelect
          size="xs"
          label={t('Apply rule {place} to', { place })}
          // A new rule gets focus.
          autoFocus={rule.filter === ''}
          value={rule.field ?? ''}
          data={[
            { value: '', label: t('Color the whole row') },
            ...columns.map(({ id, header }) => ({ value: id, label: t('Color only {header}', { header }) })),
          ]}
          onChange={({ currentTarget: { value } }) => onChange({ ...rule, field: value === '' ? null : value })}
        />
      </WithHelp>
      <WithHelp setting="colour-condition">
        <p className="colour-rule-part">{t('Which records')}</p>
        <LazyConditionBuilder
          label={t('the condition of rule {place}', { place })}
          collection={collection}
          // Lists load only titles of linked records.
          findCollection={nowhere}
          value={parsed?.ok ? parsed.value.filter : null}
          me={t('Me')}
          needsOne
          onChange={(filter, isComplete) => {
            if (filter && isComplete) onChange({ ...rule, filter: printFilter(filter) })
          }}
        />
      </WithHelp>
      {fault !== undefined && (
        <p role="alert" className="colours-fault">
          {fault}
        </p>
      )}
    </>
  )
}

const nowhere = (): undefined => undefined

type ColorMenuProps = {
  readonly place: number
  readonly color: OptionColor
  readonly onColor: (color: OptionColor) => void
}

function ColorMenu({ place, color, onColor }: ColorMenuProps) {
  return (
    <Menu position="bottom-start" withinPortal={false} width={160}>
      <Menu.Target>
        <UnstyledButton
          className="colour-sign"
          data-hue={color}
          aria-label={t('Color of rule {place}: {color}', { place, color: colorName(color) })}
        >
          {place}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className="color-menu">
        {OPTION_COLORS.map((each) => (
          <Menu.RadioItem
            key={each}
            value={each}
            checked={each === color}
            closeMenuOnClick
            rightSection={<span className="choice-swatch" style={{ background: optionColors(each).dot }} aria-hidden />}
            onChange={() => onColor(each)}
          >
            {colorName(each)}
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
