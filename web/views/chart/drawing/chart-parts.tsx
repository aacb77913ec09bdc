import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import type { ChartKey, ChartData } from '#domain/views/chart-data.ts'
import { t } from '#web/i18n/t.ts'
import './chart.css'

export type ChartFormat = {
  readonly value: (value: number) => string
  /** Shorter, for the ticks of an axis. */
  readonly tick: (value: number) => string
  readonly category: (category: ChartKey) => string
  readonly share: (share: number) => string
}

export type ChartProps = {
  readonly table: ChartData
  readonly format: ChartFormat
  /** Colors by series or, if there is only one, by category. */
  readonly colors: readonly string[]
  /** Describes the chart to screen readers. */
  readonly label: string
  /** Shows the records of a category or, in charts with several series, of one series in it. */
  readonly onOpen: (category: number, series?: number) => void
}

const SERIES_COLORS = 8

/** Options keep their color; other groups have the colors of the palette in order. */
export function chartColor({ color, kind }: ChartKey, at: number): string {
  if (kind === 'other') return 'var(--chart-other)'
  if (kind === 'empty') return 'var(--chart-empty)'
  return color === null ? `var(--chart-${(at % SERIES_COLORS) + 1})` : `var(--choice-${color}-dot)`
}

/** The category under the pointer or chosen by keyboard. A tap shows the values of a category first, and then opens it. */
export function useActiveCategory(count: number, onOpen: ChartProps['onOpen']) {
  const [active, setActive] = useState<number | null>(null)
  const isFirstTap = useRef(false)
  const moved = (by: number): number =>
    active === null ? (by > 0 ? 0 : count - 1) : Math.min(count - 1, Math.max(0, active + by))
  const steps: { readonly [key: string]: () => number | null } = {
    ArrowRight: () => moved(1),
    ArrowDown: () => moved(1),
    ArrowLeft: () => moved(-1),
    ArrowUp: () => moved(-1),
    Home: () => 0,
    End: () => count - 1,
    Escape: () => null,
  }
  const onPointerDown = ({ pointerType }: PointerEvent, at: number | null) => {
    isFirstTap.current = pointerType === 'touch' && active !== at
    setActive(at)
  }
  const onClick = (at: number | null, series?: number) => {
    if (at !== null && !isFirstTap.current) onOpen(at, series)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && active !== null) {
      event.preventDefault()
      onOpen(active)
      return
    }
    const step = steps[event.key]
    if (!step || count === 0 || (event.key === 'Escape' && active === null)) return
    event.preventDefault()
    event.stopPropagation()
    setActive(step())
  }
  const shown = active !== null && active < count ? active : null
  return { active: shown, setActive, onKeyDown, onPointerDown, onClick }
}

type ChartRoomProps = {
  readonly label: string
  readonly active: ReturnType<typeof useActiveCategory>
  /** The values of the active category. */
  readonly hint: {
    readonly xPx: number
    readonly yPx: number
    readonly content: ReactNode
    readonly text: string
  } | null
  readonly children: ReactNode
}

/** Makes a chart accessible by pointer and keyboard; the table is the alternative for screen readers. */
export function ChartRoom({ label, active, hint, children }: ChartRoomProps) {
  return (
    <div
      className="chart-room"
      role="group"
      aria-label={label}
      aria-roledescription={t('Chart')}
      tabIndex={0}
      onKeyDown={active.onKeyDown}
      onPointerLeave={({ pointerType }) => {
        // A finger leaves after each tap.
        if (pointerType !== 'touch') active.setActive(null)
      }}
      onBlur={() => active.setActive(null)}
    >
      {children}
      {hint && (
        <div className="chart-hint" aria-hidden style={{ left: hint.xPx, top: hint.yPx }}>
          {hint.content}
        </div>
      )}
      <span role="status" className="visually-hidden">
        {hint?.text}
      </span>
    </div>
  )
}

type HintLine = { readonly key: string; readonly label: string; readonly value: string; readonly color: string }

export const HintContent = ({ title, lines }: { readonly title: string; readonly lines: readonly HintLine[] }) => (
  <>
    <strong>{title}</strong>
    {lines.map(({ key, label, value, color }) => (
      <span key={key} className="chart-hint-line">
        <span className="chart-swatch" style={{ background: color }} />
        {label !== '' && <span className="chart-hint-label">{label}</span>}
        <span className="chart-hint-value">{value}</span>
      </span>
    ))}
  </>
)

type ChartLegendProps = { readonly keys: readonly ChartKey[]; readonly colors: readonly string[] }

export const ChartLegend = ({ keys, colors }: ChartLegendProps) => (
  <ul className="chart-legend">
    {keys.map(({ key, label }, at) => (
      <li key={key}>
        <span className="chart-swatch" style={{ background: colors[at] }} aria-hidden />
        <span>{label}</span>
      </li>
    ))}
  </ul>
)
