import { Button } from '@mantine/core'
import { seeAsOneself } from '#web/client/view-as.ts'
import './view-as-bar.css'

/** Says as whom one looks, on every page, with the way back. */
export function ViewAsBar({ name }: { readonly name: string }) {
  return (
    <section className="view-as-bar" aria-label="Seen as somebody else">
      <p>
        You see Dossier as <strong>{name}</strong>. Nothing can be changed.
      </p>
      <Button size="xs" onClick={seeAsOneself}>
        Stop
      </Button>
    </section>
  )
}
