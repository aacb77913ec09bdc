import { UnstyledButton } from '@mantine/core'
import { lazyModule } from '#web/ui/loading/lazy-module.ts'
import { MenuButton } from '#web/ui/popup/menu-button.tsx'
import { t } from '#web/i18n/t.ts'
import { type Summary, type SummaryState, type SummarySubject, summaryLabel } from './summaries.ts'
import './summary-bar.css'

const items = lazyModule(() => import('./summary-menu-items.tsx'))

type SummaryCellProps = {
  /** What the column is called. */
  readonly label: string
  readonly subject: SummarySubject
  readonly figure: Summary | undefined
  readonly state: SummaryState | undefined
  readonly onPick: (figure: Summary | null) => void
}

/** The figure below one column, and the menu that says which. */
export function SummaryCell({ label, subject, figure, state, onPick }: SummaryCellProps) {
  const word = figure && summaryLabel(subject, figure)
  return (
    <MenuButton
      part={items}
      items={({ SummaryMenuItems }) => <SummaryMenuItems subject={subject} figure={figure} onPick={onPick} />}
      position="bottom-start"
      widthPx={180}
      button={(button) => (
        <UnstyledButton
          {...button}
          className="figure-button"
          tabIndex={-1}
          data-empty={figure === undefined || undefined}
          aria-label={word ? `${label}: ${word} ${accessibleLabel(state)}` : t('Summary of {label}', { label })}
        >
          {word ? (
            <span className="grid-figure">
              <span className="grid-figure-name">{word}</span> <SummaryText state={state} />
            </span>
          ) : (
            <span aria-hidden>{t('Summary')}</span>
          )}
        </UnstyledButton>
      )}
    />
  )
}

function SummaryText({ state }: { readonly state: SummaryState | undefined }) {
  if (state?.is === 'there') return <span className="figure-text">{state.text === '' ? t('none') : state.text}</span>
  if (state?.is === 'failed') return <span className="figure-text figure-failed">{t('unknown')}</span>
  return <span className="grid-skeleton figure-waiting" />
}

function accessibleLabel(state: SummaryState | undefined): string {
  if (state?.is === 'there') return state.text === '' ? t('none') : state.text
  return state?.is === 'failed' ? t('unknown') : t('loading')
}
