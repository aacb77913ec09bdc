import { Progress } from '@mantine/core'
import './sample-progress.css'

type SampleProgressProps = { readonly stored: number; readonly inAll: number }

/** How far the sample workspace is. */
export function SampleProgress({ stored, inAll }: SampleProgressProps) {
  const percent = inAll === 0 ? 0 : Math.round((stored / inAll) * 100)
  return (
    <div className="sample-progress">
      <p>
        <strong>Building the sample workspace</strong>
        <span className="tabular">
          {stored.toLocaleString()} of {inAll.toLocaleString()} records
        </span>
      </p>
      <Progress value={percent} size="sm" aria-label="Sample workspace" />
    </div>
  )
}
