import { Progress } from '@mantine/core'
import { t } from '#web/i18n/t.ts'
import './sample-progress.css'

type SampleProgressProps = { readonly stored: number; readonly inAll: number }

export function SampleProgress({ stored, inAll }: SampleProgressProps) {
  const percent = inAll === 0 ? 0 : Math.round((stored / inAll) * 100)
  return (
    <div className="sample-progress">
      <p>
        <strong>{t('Creating sample workspace')}</strong>
        <span className="tabular">{t('{stored} of {inAll} records', { stored, inAll })}</span>
      </p>
      <Progress value={percent} size="sm" aria-label={t('Sample workspace')} />
    </div>
  )
}
