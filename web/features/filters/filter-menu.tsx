import { Button, SegmentedControl } from '@mantine/core'
import { IconFilter2 } from '@tabler/icons-react'
import { useState } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { FilterBuilder } from './filter-builder.tsx'
import { FilterText } from './filter-text.tsx'
import { conditionCount, flatFilter, treeOf } from './filter-tree.ts'
import { listFields } from './list-fields.ts'
import { ToolPanel } from './tool-panel.tsx'
import './filters.css'

type FilterMenuProps = {
  readonly fields: readonly Field[]
  readonly text: string
  readonly onChange: (text: string) => void
  /** What the server has against the filter. */
  readonly refusal: { readonly message: string; readonly position: number | undefined } | undefined
}

type Form = 'lines' | 'text'

/** The filter of a list behind one button: drawn as lines, or typed. */
export function FilterMenu({ fields, text, onChange, refusal }: FilterMenuProps) {
  const tree = treeOf(text)
  const count = tree === undefined ? undefined : conditionCount(tree)
  const canDraw = tree !== undefined && flatFilter(tree) !== undefined && refusal === undefined
  const [chosen, setChosen] = useState<Form>('lines')
  const form = canDraw ? chosen : 'text'

  return (
    <ToolPanel
      label="Filter"
      buttonLabel={text === '' ? 'Filter' : `Filter · ${count ?? '?'}`}
      icon={<IconFilter2 size={16} stroke={1.5} />}
      isActive={text !== ''}
      className="filter-panel"
    >
      <div className="filter-panel-head">
        <SegmentedControl
          size="xs"
          aria-label="How the filter is shown"
          value={form}
          onChange={setChosen}
          data={[
            { value: 'lines', label: 'Conditions', disabled: !canDraw },
            { value: 'text', label: 'Text' },
          ]}
        />
        {text !== '' && (
          <Button size="xs" variant="subtle" onClick={() => onChange('')}>
            Clear
          </Button>
        )}
      </div>
      {form === 'lines' ? (
        <FilterBuilder fields={listFields(fields)} text={text} onChange={onChange} />
      ) : (
        <FilterText text={text} onChange={onChange} refusal={refusal} />
      )}
    </ToolPanel>
  )
}
