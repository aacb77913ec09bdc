const RADIUS = 7
const LENGTH = 2 * Math.PI * RADIUS
/** How much of it is drawn where nobody knows how far it is: it turns. */
const UNKNOWN_SHARE = 0.25

/** A ring that fills: `share` from 0 to 1; undefined where that is not known. */
export function ProgressRing({ share }: { readonly share: number | undefined }) {
  return (
    <svg
      aria-hidden
      width={16}
      height={16}
      viewBox="0 0 18 18"
      className="progress-ring"
      data-unknown={share === undefined || undefined}
    >
      <circle cx={9} cy={9} r={RADIUS} className="progress-ring-track" />
      <circle
        cx={9}
        cy={9}
        r={RADIUS}
        className="progress-ring-done"
        strokeDasharray={`${LENGTH * (share ?? UNKNOWN_SHARE)} ${LENGTH}`}
      />
    </svg>
  )
}
