type BrandMarkProps = { readonly sizePx: number }

export function BrandMark({ sizePx }: BrandMarkProps) {
  return (
    <svg className="brand-mark" width={sizePx} height={sizePx} viewBox="0 0 32 32" aria-hidden>
      <rect x="3" y="2" width="26" height="28" rx="5" fill="var(--primary)" />
      <path d="M3 7a5 5 0 0 1 5-5h2v28H8a5 5 0 0 1-5-5Z" fill="#000" opacity=".32" />
      <rect x="14" y="9" width="10.5" height="2.5" rx="1.25" fill="var(--on-primary)" />
      <rect x="14" y="14.5" width="7" height="2.5" rx="1.25" fill="var(--on-primary)" opacity=".72" />
    </svg>
  )
}
