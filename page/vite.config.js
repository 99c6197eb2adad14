// Scripts and style sheets with a hash of what is in them in their names; nothing inlined, since the
// station's policy allows no inline script. Two pages: the arbiter's, and the overlay.
export default {
  base: '/',
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    rollupOptions: { input: ['index.html', 'overlay.html'] },
  },
};
