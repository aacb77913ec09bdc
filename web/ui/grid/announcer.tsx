import { useEffect, useState } from 'react'

/** What happens within this time is said once, so that a screen reader is not talked over while somebody types. */
const GATHER_MS = 500

/** Says what changed in the grid to those who do not see it: the last message, once things have come to rest. */
export function Announcer({ message }: { readonly message: string }) {
  const [said, setSaid] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSaid(message), GATHER_MS)
    return () => clearTimeout(timer)
  }, [message])
  return (
    <div role="status" aria-live="polite" className="grid-hidden-text">
      {said}
    </div>
  )
}
