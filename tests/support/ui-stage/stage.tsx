import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Dropdown } from '#web/ui/dropdown/dropdown.tsx'
import type { DropdownGroup, DropdownOption, OptionSearch } from '#web/ui/dropdown/option.tsx'
import { SearchDropdown } from '#web/ui/dropdown/search-dropdown.tsx'
import { UiProvider } from '#web/ui/theme/ui-provider.tsx'
import { notify, toastStage } from '#web/ui/toast/notify.ts'

/** Options for a dropdown on the stage. */
export type StagedDropdown = {
  readonly label: string
  readonly options?: readonly (DropdownOption | DropdownGroup)[]
  readonly isMultiple?: boolean
  readonly isCreatable?: boolean
  /** Number of options found by a search that responds immediately. */
  readonly searched?: number
  /** Distance in px from the top, to leave no room below the dropdown. */
  readonly topPx?: number
}

function Staged({ label, options = [], isMultiple, isCreatable, searched, topPx = 0 }: StagedDropdown) {
  const [all, setAll] = useState(options)
  const [one, setOne] = useState<string | null>(null)
  const [several, setSeveral] = useState<readonly string[]>([])
  const [found, setFound] = useState<DropdownOption | null>(null)
  const create = (text: string) => {
    setAll((before) => [...before, { value: text, label: text }])
    return text
  }
  const common = { label, options: all, ...(isCreatable && { onCreate: create }) }
  return (
    <div style={{ paddingBlockStart: topPx, inlineSize: 320 }}>
      {searched !== undefined ? (
        <SearchDropdown label={label} search={searchOf(searched)} value={found} onChange={setFound} />
      ) : isMultiple ? (
        <Dropdown {...common} multiple value={several} onChange={setSeveral} />
      ) : (
        <Dropdown {...common} value={one} onChange={setOne} />
      )}
    </div>
  )
}

const searches = new Map<number, OptionSearch>()

/** Returns the same function on every render. */
function searchOf(count: number): OptionSearch {
  const known = searches.get(count)
  if (known) return known
  const made = Array.from({ length: count }, (_, at) => ({ value: String(at), label: `Found ${at}` }))
  const search: OptionSearch = (text) => {
    const options = made.filter(({ label }) => label.includes(text))
    return Promise.resolve({ options, total: options.length })
  }
  searches.set(count, search)
  return search
}

const { Toaster } = await toastStage.load()
const root = createRoot(document.querySelector('#root') ?? document.body)
const show = (dropdowns: readonly StagedDropdown[]) =>
  root.render(
    <UiProvider>
      <button type="button">Before</button>
      {dropdowns.map((dropdown) => (
        <Staged key={dropdown.label} {...dropdown} />
      ))}
      <Toaster />
    </UiProvider>,
  )
show([])
Object.assign(globalThis, { notify, show })
